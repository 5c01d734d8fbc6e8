package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CapacityAdminTest {
  private final World world = new World();
  private final BucketAdmin capacity = world.ns.buckets();

  private static CapacityTotals.Total total(CapacityTotals totals, String limit) {
    return Objects.requireNonNull(totals.limits().get(limit));
  }

  /** 1, 2, 4, 8 or 16. */
  private static int shards(int i) {
    return 1 << i % 5;
  }

  @Test
  void of_pagesOfAnySize_neverSplitABucket() {
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10);
    for (int i = 0; i < 40; i++) {
      world.open("e" + i, "r", shards(i));
      world.charge(new BucketKey(World.NS, "e" + i, "r", i % shards(i)), "rpm", 4);
    }
    world.ns.limits().set(LimitTarget.resource("other"), World.RPM_10);
    world.open("e0", "other");

    for (int pageSize : List.of(1, 2, 3, 7, 100)) {
      List<String> seen = new ArrayList<>();
      CapacityTotals totals = CapacityTotals.NONE;
      String cursor = null;
      do {
        Page<BucketReport> page = capacity.ofResource("r", pageSize, cursor);
        for (BucketReport bucket : page.items()) {
          int number = Integer.parseInt(bucket.entityId().substring(1));
          seen.add(bucket.entityId());
          assertThat(bucket.shards()).isEqualTo(shards(number));
          assertThat(bucket.limits().get(0).available()).isEqualTo(6);
        }
        totals = totals.plus(CapacityTotals.of(page.items()));
        cursor = page.cursor();
      } while (cursor != null);

      assertThat(seen).hasSize(40).doesNotHaveDuplicates();
      assertThat(totals.buckets()).isEqualTo(40);
      CapacityTotals.Total rpm = total(totals, "rpm");
      assertThat(rpm.capacityMilli()).isEqualTo(400_000);
      assertThat(rpm.availableMilli()).isEqualTo(240_000);
    }
  }

  @Test
  void of_projectsToNow() {
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10);
    world.open("e", "r");
    world.charge(BucketKey.first(World.NS, "e", "r"), "rpm", 13);
    assertThat(CapacityTotals.of(capacity.ofResource("r", 10, null).items()).limits())
        .isEqualTo(Map.of("rpm", new CapacityTotals.Total(1, 10_000, -3_000, 13_000)));

    world.clock.advance(Duration.ofSeconds(30));

    assertThat(CapacityTotals.of(capacity.ofResource("r", 10, null).items()).limits())
        .isEqualTo(Map.of("rpm", new CapacityTotals.Total(1, 10_000, 2_000, 8_000)));
  }

  /** Charged alike, it is shown alike, however it is divided and whenever one looks. */
  @Test
  void of_dividedAndUndivided_showTheSame() {
    world.ns.limits().set(LimitTarget.resource("r"), LimitSet.of(Limit.perHour("tph", 1_003)));
    world.open("whole", "r");
    world.open("divided", "r", 16);
    world.open("mixed", "r", 2);
    BucketKey mixed = BucketKey.first(World.NS, "mixed", "r");
    world.split(mixed.withShard(1));
    world.split(mixed.withShard(3));
    for (BucketKey key : List.of(BucketKey.first(World.NS, "whole", "r"), mixed)) {
      world.charge(key, "tph", 500);
    }
    world.charge(BucketKey.first(World.NS, "divided", "r").withShard(5), "tph", 500);
    world.charge(mixed.withShard(7), "tph", 80);
    world.charge(BucketKey.first(World.NS, "divided", "r").withShard(5), "tph", 80);
    world.charge(BucketKey.first(World.NS, "whole", "r"), "tph", 80);

    for (String id : List.of("divided", "mixed")) {
      assertThat(balances(id)).isEqualTo(balances("whole"));
    }
    CapacityTotals.Total total = total(capacity.capacity("r", (page, sums) -> {}), "tph");
    assertThat(total).isEqualTo(new CapacityTotals.Total(3, 3_009_000, 1_269_000, 1_740_000));
  }

  /** Nothing is clipped while every shard has room, so the shards earn what the whole does. */
  @Test
  void of_dividedAndUndivided_earnTheSame() {
    world.ns.limits().set(LimitTarget.resource("r"), LimitSet.of(Limit.perHour("tph", 1_003)));
    world.open("whole", "r");
    world.open("divided", "r", 8);
    world.charge(BucketKey.first(World.NS, "whole", "r"), "tph", 8 * 120);
    for (int shard = 0; shard < 8; shard++) {
      world.charge(BucketKey.first(World.NS, "divided", "r").withShard(shard), "tph", 120);
    }
    for (int i = 0; i < 500; i++) {
      world.clock.advance(Duration.ofMillis(1 + i));
      assertThat(balances("divided")).isEqualTo(balances("whole"));
    }
  }

  private List<BucketReport.Balance> balances(String entityId) {
    return world.ns.buckets().get(entityId, "r").orElseThrow().limits();
  }

  @Test
  void all_everyPage_bringsRunningTotals() {
    LimitSet two = LimitSet.of(Limit.perMinute("rpm", 10), Limit.perDay("tpd", 100));
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10);
    for (int i = 0; i < 150; i++) {
      world.open("e" + i, "r");
    }
    world.ns.limits().set(LimitTarget.entityResource("e3", "r"), two);
    List<Long> running = new ArrayList<>();

    CapacityTotals totals = capacity.capacity("r", (page, sums) -> running.add(sums.buckets()));

    assertThat(running).contains(100L).endsWith(150L).isSorted();
    assertThat(total(totals, "rpm").buckets()).isEqualTo(150);
    assertThat(total(totals, "tpd").buckets()).isEqualTo(1);
  }

  @Test
  void of_nothingThereOrBadName() {
    assertThat(capacity.ofResource("r", 10, null).items()).isEmpty();
    assertThatThrownBy(() -> capacity.ofResource("a#b", 10, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
