package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.BucketSpecification;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.LinearisabilityVerdict;
import dev.millrace.testkit.internal.history.MachineTime;
import dev.millrace.testkit.internal.history.Operation;
import dev.millrace.tests.support.Dynamo;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Threads through limiters: what they were told is what one bucket, asked in turn, tells. */
class LimiterHistoryIT {
  private static final int CALLERS = 8;
  private static final int TIMES = 70;

  /** What the buckets of these tests are like. */
  enum Water {
    /** Less than a millitoken returns while a test runs. */
    STILL("rpy:1/366day:250,tpy:1/366day:400", 1L),
    /** A hundred a second come back of the first limit, which is empty at first. */
    FLOWING("rps:100/sec:4000,tpy:1/366day:150", 4_000L);

    private final String limits;
    private final long taken;

    Water(String limits, long taken) {
      this.limits = limits;
      this.taken = taken;
    }

    LimiterRun begin(String entity) {
      return LimiterRun.begin(store, LimiterBucket.parse(entity, limits), TIME, taken, 1L);
    }
  }

  private static final MachineTime TIME = MachineTime.now();

  private static DynamoStore store;

  @BeforeAll
  static void createTable() {
    DynamoDbClient client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.asyncClient(Dynamo.endpoint()), Dynamo.newTable(client));
  }

  private static List<Caller> limiters(Style... styles) {
    return Stream.of(styles)
        .map(style -> style.caller(store, LimiterRun.options(TIME).build()))
        .toList();
  }

  private static History<BucketCall, BucketAnswer> record(
      LimiterRun run, int callers, Habits habits, Style... styles) {
    List<Caller> limiters = limiters(styles);
    List<Caller> watch = limiters(Style.BLOCKING);
    History<BucketCall, BucketAnswer> history =
        run.record(limiters, callers, habits, TIMES, watch.get(0));
    limiters.forEach(Caller::close);
    watch.forEach(Caller::close);
    return history;
  }

  private static void requireAllSorts(History<BucketCall, BucketAnswer> history) {
    assertThat(history.operations())
        .as("some are admitted, some refused, and nothing is lost")
        .filteredOn(op -> op.asked() instanceof BucketCall.Take)
        .noneMatch(Operation::isUnknown)
        .anyMatch(op -> op.answered() instanceof BucketAnswer.Done)
        .anyMatch(op -> op.answered() instanceof BucketAnswer.Refused);
  }

  @ParameterizedTest
  @CsvSource({"BLOCKING, STILL", "ASYNC, STILL", "BLOCKING, FLOWING", "ASYNC, FLOWING"})
  void acquire_callersOfOneLimiter_isLinearisableAndRefusalsAreExact(Style style, Water water) {
    LimiterRun run = water.begin("one-" + style + "-" + water);
    // Nobody looks meanwhile. Who does can see what the limiter wrote and was not yet told, and
    // the limiter can be told what was there before its last write.
    History<BucketCall, BucketAnswer> history =
        record(run, CALLERS, Habits.ALL.withoutLooks(), style);

    Linearisability.require(
        history, BucketSpecification.ofOneProcess(run.model(history), TIME, history));
    requireAllSorts(history);
  }

  @Test
  void acquire_admissionThatNobodyWasToldOf_isFound() {
    LimiterRun run = Water.STILL.begin("unheard");
    History<BucketCall, BucketAnswer> history =
        record(run, CALLERS, Habits.ALL.withoutLooks(), Style.BLOCKING);
    Operation<BucketCall, BucketAnswer> unheard =
        history.operations().stream()
            .filter(op -> op.asked() instanceof BucketCall.Take)
            .filter(op -> op.answered() instanceof BucketAnswer.Done)
            .skip(CALLERS)
            .findFirst()
            .orElseThrow();
    History<BucketCall, BucketAnswer> told =
        new History<>(history.operations().stream().filter(op -> !op.equals(unheard)).toList());

    assertThat(
            Linearisability.check(
                told, BucketSpecification.ofOneProcess(run.model(told), TIME, told)))
        .isNotInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_callersOfSeveralLimiters_isLinearisable(Water water) {
    LimiterRun run = water.begin("several-" + water);
    History<BucketCall, BucketAnswer> history =
        record(run, 2, Habits.ALL, Style.BLOCKING, Style.ASYNC, Style.BLOCKING_ONLY);

    Linearisability.require(
        history, BucketSpecification.ofManyProcesses(run.model(history), TIME, history));
    requireAllSorts(history);
  }
}
