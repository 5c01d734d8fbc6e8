package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about writers at the same time. */
public interface AtomicityContract extends StoreUnderTest {
  /** How many writers. */
  int WRITERS = 8;

  /** How often each of them writes. */
  int WRITES = 20;

  @ParameterizedTest
  @EnumSource
  default void consume_manyWriters_takeWhatIsThereAndNoMore(StorePort driver) throws Exception {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 100, 0));
    assertThat(applied(bucket, WRITES, () -> bucket.consume(REFILLED_AT_MS, take("rpm", 1))))
        .isEqualTo(100);
    assertThat(bucket.read()).isEqualTo(bucket.written(REFILLED_AT_MS, limit("rpm", 0, 100)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_manyWritersOfOneLock_oneApplies(StorePort driver) throws Exception {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 1_000, 0));
    long laterMs = REFILLED_AT_MS + 1;
    assertThat(applied(bucket, 1, () -> bucket.locked(REFILLED_AT_MS, laterMs, take("rpm", 1))))
        .isEqualTo(1);
    assertThat(bucket.read()).isEqualTo(bucket.written(laterMs, limit("rpm", 999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void create_manyWriters_oneApplies(StorePort driver) throws Exception {
    ContractBucket bucket = new ContractBucket(this, driver);
    assertThat(applied(bucket, 1, () -> new WritePlan.Create(bucket.created(limit("rpm", 1, 0)))))
        .isEqualTo(1);
  }

  /** How many of the writes, made by all writers at once, were applied. */
  private static int applied(ContractBucket bucket, int writes, Supplier<WritePlan> plan)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      Callable<Integer> writer =
          () -> {
            int count = 0;
            for (int i = 0; i < writes; i++) {
              count += bucket.write(plan.get()) instanceof StoreReply.Applied ? 1 : 0;
            }
            return count;
          };
      List<Callable<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(writer);
      }
      int total = 0;
      for (Future<Integer> done : pool.invokeAll(writers)) {
        total += done.get();
      }
      return total;
    } finally {
      pool.shutdownNow();
    }
  }
}
