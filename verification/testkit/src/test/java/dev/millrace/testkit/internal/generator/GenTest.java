package dev.millrace.testkit.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The generators make valid values, and enough of each sort to be worth running. */
class GenTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");

  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void names_many_areValidAndHavePunctuation() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      all.append(Gen.key(random)).append(Limit.perMinute(Gen.limitName(random), 1).name());
    }
    assertThat(all.toString()).contains("-", ".", "_", ":", "@", "/");
  }

  @Test
  void limit_many_spanTheRange() {
    double slowest = Double.MAX_VALUE;
    double fastest = 0;
    boolean burst = false;
    boolean odd = false;
    for (int i = 0; i < 10_000; i++) {
      Limit limit = Gen.limit(random);
      double perSecond = (double) limit.refill().amountMilli() / limit.refill().periodMs();
      slowest = Math.min(slowest, perSecond);
      fastest = Math.max(fastest, perSecond);
      burst |= limit.burstMilli() > limit.capacityMilli();
      odd |= limit.refill().periodMs() % 1_000 != 0;
    }
    assertThat(slowest).isLessThanOrEqualTo(1.0 / 86_400);
    assertThat(fastest).isEqualTo(10_000_000);
    assertThat(burst).isTrue();
    assertThat(odd).isTrue();
  }

  @Test
  void magnitude_ends_comeUp() {
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      seen.add(Gen.magnitude(random, 3, Long.MAX_VALUE));
      assertThat(Gen.magnitude(random, 7, 7)).isEqualTo(7);
    }
    assertThat(seen).contains(3L, Long.MAX_VALUE).allMatch(value -> value >= 3);
  }

  @Test
  void amounts_many_nameSomething() {
    for (int i = 0; i < 1_000; i++) {
      LimitSet limits = Gen.limitSet(random);
      Amounts amounts = Gen.amounts(random, limits);
      assertThat(amounts.limits()).isEqualTo(limits);
      for (int limit = 0; limit < limits.size(); limit++) {
        assertThat(amounts.milli(limit)).isNotNegative();
      }
    }
  }

  @Test
  void bucketState_many_includeDebtAndNoExpiry() {
    List<BucketState> states = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      states.add(Gen.bucketState(random, KEY, "op"));
    }
    assertThat(states)
        .anyMatch(state -> state.expiresAtSeconds() == BucketState.NEVER)
        .anyMatch(state -> state.limits().get(0).tokensMilli() < 0)
        .anyMatch(state -> state.limits().size() > 5)
        .anyMatch(state -> !state.division().isWhole())
        .anyMatch(state -> state.wcuMilli() < 0)
        .allMatch(
            state -> state.division().isWhole() || state.expiresAtSeconds() == BucketState.NEVER);
  }

  /** A comparison of stores is worth something only where each kind is applied and refused. */
  @Test
  void plans_sequences_applyAndRefuseEachKindOften() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int sequence = 0; sequence < 500; sequence++) {
      InMemoryStore store = new InMemoryStore();
      List<BucketState> history = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        WritePlan plan = PlanGen.plan(random, KEY, history, "op-" + i);
        StoreReply reply = store.execute(new StoreCall.Write(plan), 1_000);
        if (reply instanceof StoreReply.Applied applied) {
          history.add(applied.state());
        }
        counts.merge(kind(plan) + " " + reply.getClass().getSimpleName(), 1, Integer::sum);
      }
    }
    assertThat(counts.keySet())
        .containsExactly(
            "Adjust Applied",
            "Adjust Refused",
            "Consume Applied",
            "Consume Refused",
            "Create Applied",
            "Create Refused",
            "Locked Applied",
            "Locked Refused",
            "Parameters Applied",
            "Parameters Refused",
            "Resize Applied",
            "Resize Refused");
    assertThat(counts).allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThan(50));
  }

  /** Writes that make a difference only where the lock, a floor or the limits do not decide. */
  @Test
  void plans_sequences_includeStampSwitchAndSoftLimits() {
    List<BucketState> applied = new ArrayList<>();
    int refusedWhileOff = 0;
    int removedAtOnce = 0;
    for (int sequence = 0; sequence < 500; sequence++) {
      InMemoryStore store = new InMemoryStore();
      List<BucketState> history = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        WritePlan plan = PlanGen.plan(random, KEY, history, "op-" + i);
        BucketState before = store.snapshot(KEY);
        StoreReply reply = store.execute(new StoreCall.Write(plan), 1_000);
        if (reply instanceof StoreReply.Applied made) {
          history.add(made.state());
          applied.add(made.state());
          removedAtOnce += removesAtOnce(plan) ? 1 : 0;
        } else if (plan instanceof WritePlan.Consume && before != null) {
          refusedWhileOff += before.stamp().disabled() ? 1 : 0;
        }
      }
    }
    assertThat(applied)
        .anyMatch(state -> state.limits().stream().anyMatch(limit -> limit.limit().soft()))
        .anyMatch(state -> state.stamp().equals(ConfigStamp.CALL))
        .allMatch(state -> !state.limits().isEmpty());
    for (ConfigLevel level : ConfigLevel.values()) {
      assertThat(applied).anyMatch(state -> state.stamp().level() == level);
    }
    assertThat(refusedWhileOff).isGreaterThan(20);
    assertThat(removedAtOnce).isGreaterThan(20);
  }

  private static boolean removesAtOnce(WritePlan plan) {
    return plan instanceof WritePlan.Locked locked
        && locked.parameters().removed().stream()
            .anyMatch(removal -> removal.minTokensMilli() == LimitChange.NO_FLOOR);
  }

  private static String kind(WritePlan plan) {
    return plan instanceof WritePlan.Locked locked && !locked.parameters().isUnchanged()
        ? "Parameters"
        : plan.getClass().getSimpleName();
  }
}
