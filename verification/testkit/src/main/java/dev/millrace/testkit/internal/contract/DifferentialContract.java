package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.StoreContract;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.PlanGen;
import dev.millrace.testkit.internal.generator.ShardGen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} that compares a store with the model. */
public interface DifferentialContract extends StoreUnderTest {
  /** Plans of one sequence, all for one bucket. */
  int PLANS_OF_SEQUENCE = 12;

  int randomSequences();

  @ParameterizedTest
  @EnumSource
  default void store_randomPlans_agreeWithModel(StorePort driver) {
    Gen.forEachSeed(
        randomSequences(),
        (random, seed) -> {
          InMemoryStore model = new InMemoryStore();
          BucketKey key =
              new ContractBucket(this, driver, Gen.resource(random))
                  .key()
                  .withShard(ShardGen.shard(random));
          List<BucketState> history = new ArrayList<>();
          for (int i = 0; i < PLANS_OF_SEQUENCE; i++) {
            WritePlan plan = PlanGen.plan(random, key, history, "op-" + i);
            StoreCall call = new StoreCall.Write(plan);
            StoreReply expected = model.execute(call, StorePort.TIMEOUT_MS);
            assertSame(driver.execute(this, call), expected, i, plan);
            if (expected instanceof StoreReply.Applied applied) {
              history.add(applied.state());
            }
          }
          StoreCall read = new StoreCall.Read(key);
          assertThat(stateOf(driver.execute(this, read)))
              .as("fresh read after the sequence")
              .isEqualTo(model.snapshot(key));
        });
  }

  private static void assertSame(
      StoreReply actual, StoreReply expected, int index, WritePlan plan) {
    assertThat(actual.getClass().getSimpleName())
        .as("answer to plan %d, %s, of a bucket that is %s", index, plan, stateOf(expected))
        .isEqualTo(expected.getClass().getSimpleName());
    assertThat(stateOf(actual))
        .as("state in the answer to plan %d, %s", index, plan)
        .isEqualTo(stateOf(expected));
  }

  private static @Nullable BucketState stateOf(StoreReply reply) {
    if (reply instanceof StoreReply.Found found) {
      return found.state();
    }
    if (reply instanceof StoreReply.Applied applied) {
      return applied.state();
    }
    return reply instanceof StoreReply.Refused refused ? refused.state() : null;
  }
}
