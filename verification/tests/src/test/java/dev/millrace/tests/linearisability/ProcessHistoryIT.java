package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.BucketSpecification;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.MachineTime;
import dev.millrace.testkit.internal.history.Operation;
import dev.millrace.tests.support.Dynamo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Several processes on one bucket: their histories, put together, are one of one bucket. */
class ProcessHistoryIT {
  private static final int PROCESSES = 3;
  private static final int CALLERS = 3;
  private static final int TIMES = 50;

  /** How often each process is asked for its clock, before and after. */
  private static final int CLOCK_READINGS = 20;

  private static final String ENTITY = "processes";

  /** The first limit is empty at first and refills, of the second nothing comes back. */
  private static final String LIMITS = "rps:100/sec:4000,tpy:1/366day:150";

  private static String table;
  private static BlockingStore store;

  @BeforeAll
  static void createTable() {
    DynamoDbClient client = Dynamo.client();
    table = Dynamo.newTable(client);
    store = DynamoStore.of(client, table);
  }

  @Test
  void acquire_callersOfSeveralProcesses_isLinearisable() throws Exception {
    MachineTime time = MachineTime.now();
    List<HistoryWorker> workers = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        workers.add(HistoryWorker.start(job(time, i)));
      }
      requireOneClock(workers);
      LimiterRun run =
          LimiterRun.begin(store, LimiterBucket.parse(ENTITY, LIMITS), time, 4_000L, 1L);
      for (HistoryWorker worker : workers) {
        worker.tell("run");
      }
      List<Operation<BucketCall, BucketAnswer>> operations = new ArrayList<>();
      for (HistoryWorker worker : workers) {
        operations.addAll(worker.operations());
      }
      requireOneClock(workers);
      History<BucketCall, BucketAnswer> history = new History<>(operations);

      Linearisability.require(
          history, BucketSpecification.ofManyProcesses(run.model(history), time, history));

      assertThat(history.size()).isEqualTo(PROCESSES * CALLERS * TIMES);
      assertThat(history.operations())
          .anyMatch(op -> op.answered() instanceof BucketAnswer.Refused)
          .anyMatch(op -> op.answered() instanceof BucketAnswer.Seen)
          .noneMatch(Operation::isUnknown);
    } finally {
      workers.forEach(HistoryWorker::close);
    }
  }

  private static HistoryWorker.Job job(MachineTime time, int number) {
    return new HistoryWorker.Job(
        Dynamo.endpoint(),
        table,
        ENTITY,
        LIMITS,
        time.originMs(),
        "p" + number,
        CALLERS,
        TIMES,
        100L * number);
  }

  /**
   * Java does not promise that processes count the nanoseconds of one clock. What another process
   * reads between two readings of ours must lie between them, or their histories cannot be put
   * together.
   */
  private static void requireOneClock(List<HistoryWorker> workers) throws IOException {
    for (HistoryWorker worker : workers) {
      for (int i = 0; i < CLOCK_READINGS; i++) {
        long beforeNanos = System.nanoTime();
        worker.tell("clock");
        long itsNanos = Long.parseLong(worker.hear());
        assertThat(itsNanos)
            .as("System.nanoTime of another process, which must be the clock of the machine")
            .isBetween(beforeNanos, System.nanoTime());
      }
    }
  }
}
