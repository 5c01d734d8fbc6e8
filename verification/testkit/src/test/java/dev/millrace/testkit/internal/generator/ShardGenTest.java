package dev.millrace.testkit.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.internal.contract.CallDifferentialContract;
import dev.millrace.testkit.internal.contract.DifferentialContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The generators divide buckets, and enough of what they do is made and refused. */
class ShardGenTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");

  private final RandomGenerator random = new SplittableRandom(1);

  @Test
  void leastLevel_eachShard_isThatOfItsSplit() {
    assertThat(List.of(0, 1, 2, 3, 4, 7, 8, BucketKey.MAX_SHARDS - 1))
        .extracting(ShardGen::leastLevel)
        .containsExactly(1, 2, 4, 4, 8, 8, 16, BucketKey.MAX_SHARDS);
  }

  @Test
  void division_many_fitTheirShard() {
    List<Division> divisions = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      int shard = ShardGen.shard(random);
      Division division = ShardGen.division(random, shard);
      assertThat(ShardShare.of(shard, division.level())).isNotNull();
      divisions.add(division);
    }
    assertThat(divisions)
        .contains(Division.NONE)
        .anyMatch(division -> division.level() == BucketKey.MAX_SHARDS)
        .anyMatch(division -> division.level() > division.count())
        .anyMatch(division -> division.level() < division.count());
  }

  /** A comparison of stores is worth something only where the level itself decides. */
  @Test
  void plans_sequences_areRefusedAndAppliedForTheirDivision() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int sequence = 0; sequence < 1_000; sequence++) {
      InMemoryStore store = new InMemoryStore();
      BucketKey key = KEY.withShard(ShardGen.shard(random));
      List<BucketState> history = new ArrayList<>();
      for (int i = 0; i < DifferentialContract.PLANS_OF_SEQUENCE; i++) {
        WritePlan plan = PlanGen.plan(random, key, history, "op-" + i);
        BucketState before = store.snapshot(key);
        StoreReply reply = store.execute(new StoreCall.Write(plan), 1_000);
        boolean applied = reply instanceof StoreReply.Applied;
        if (reply instanceof StoreReply.Applied made) {
          history.add(made.state());
        }
        if (before != null) {
          String subject = subject(plan, before);
          counts.merge(subject + (applied ? " Applied" : " Refused"), 1, Integer::sum);
        }
      }
    }
    assertThat(counts)
        .containsKeys(
            "Adjust of a part Applied",
            "Adjust of a part that expires Refused",
            "Consume of a part Applied",
            "Consume of another level Refused",
            "Locked of a part Applied",
            "Locked of another level Refused",
            "New level Applied",
            "New level for another count Refused")
        .doesNotContainKeys(
            "Adjust of a part that expires Applied",
            "Consume of another level Applied",
            "Locked of another level Applied",
            "New level for another count Applied");
    assertThat(counts).allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThan(10));
  }

  private static String subject(WritePlan plan, BucketState before) {
    int level = before.division().level();
    if (plan instanceof WritePlan.Locked locked) {
      Division division = locked.parameters().division();
      if (locked.level() != level) {
        return "Locked of another level";
      }
      if (division != null) {
        return division.count() == before.shardCount()
            ? "New level"
            : "New level for another count";
      }
      return level == 1 ? "Locked" : "Locked of a part";
    }
    if (plan instanceof WritePlan.Consume consume) {
      if (consume.level() != level) {
        return "Consume of another level";
      }
      return level == 1 ? "Consume" : "Consume of a part";
    }
    if (plan instanceof WritePlan.Adjust adjust && level != 1) {
      return adjust.expiresAtSeconds() == BucketState.NEVER
          ? "Adjust of a part"
          : "Adjust of a part that expires";
    }
    return plan.getClass().getSimpleName();
  }

  @Test
  void calls_sequences_splitMergeAndRemoveOften() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int sequence = 0; sequence < 500; sequence++) {
      InMemoryStore store = new InMemoryStore();
      CallGen calls = new CallGen(random, "test", store);
      for (int i = 0; i < CallDifferentialContract.CALLS_OF_SEQUENCE; i++) {
        StoreCall call = calls.next("op-" + i);
        String answer = store.execute(call, 1_000).getClass().getSimpleName();
        if (call instanceof StoreCall.Transaction transaction) {
          counts.merge(kind(transaction) + " " + answer, 1, Integer::sum);
        }
      }
    }
    counts.keySet().removeIf(kind -> kind.startsWith("Other"));
    assertThat(counts.keySet())
        .containsExactly(
            "Merge Cancelled",
            "Merge Committed",
            "Remove Cancelled",
            "Remove Committed",
            "Split Cancelled",
            "Split Committed");
    assertThat(counts).allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThan(10));
  }

  private static String kind(StoreCall.Transaction transaction) {
    List<WritePlan> plans = transaction.plans();
    boolean divides =
        !plans.isEmpty()
            && plans.get(0) instanceof WritePlan.Locked locked
            && locked.parameters().division() != null;
    boolean removes = plans.stream().anyMatch(WritePlan.Remove.class::isInstance);
    if (divides && plans.size() == 2) {
      return removes ? "Merge" : "Split";
    }
    return removes ? "Remove" : "Other";
  }
}
