package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.internal.ledger.ShareAllocation.RegionDemand.Presence;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A limit of 6,000 a minute: a window of 10 s brings 1,000 tokens. */
class ShareAllocationTest {
  private static final Limit LIMIT = Limit.perMinute("rpm", 6_000);
  private static final AllocationPolicy POLICY = AllocationPolicy.DEFAULT;

  @Test
  void gifts_oneRunsDryAndOthersAreIdle_itGetsAllButTheFloors() {
    ShareAllocation allocation = of(dry("a", 250_000, 250), idle("b"), idle("c"), idle("d"));
    assertThat(allocation.targetPpm("a")).isEqualTo(970_000);
    assertThat(allocation.targetPpm("b")).isEqualTo(10_000);
    assertThat(allocation.gifts())
        .containsExactly(
            new ShareAllocation.Transfer("b", "a", 240_000),
            new ShareAllocation.Transfer("c", "a", 240_000),
            new ShareAllocation.Transfer("d", "a", 240_000));
  }

  @Test
  void gifts_othersUseSome_theyKeepThatAndALittle() {
    ShareAllocation allocation = of(dry("a", 500_000, 500), using("b", 500_000, 160));
    assertThat(allocation.targetPpm("b")).isEqualTo(170_000);
    assertThat(allocation.gifts()).containsExactly(new ShareAllocation.Transfer("b", "a", 330_000));
  }

  @Test
  void gifts_severalRunDry_whatIsLeftGoesByWhatTheyUse() {
    ShareAllocation allocation =
        of(dry("a", 300_000, 300), dry("b", 100_000, 100), using("c", 600_000, 0));
    long left = Ppm.WHOLE - 30_000;
    assertThat(allocation.targetPpm("a")).isBetween(10_000 + left * 2 / 3, 10_000 + left * 7 / 10);
    assertThat(allocation.targetPpm("a") + allocation.targetPpm("b")).isEqualTo(990_000);
  }

  @Test
  void gifts_nobodyRunsDryAndSharesAreNearlyRight_none() {
    assertThat(
            of(using("a", 400_000, 200), using("b", 300_000, 200), using("c", 300_000, 200))
                .gifts())
        .isEmpty();
  }

  @Test
  void gifts_nobodyRunsDryButSharesAreFarOff_onlyWhoIsFullGives() {
    ShareAllocation.RegionDemand full =
        new ShareAllocation.RegionDemand("a", 900_000, 100_000, 5_500_000, 5_400_000, false, HERE);
    ShareAllocation.RegionDemand busy =
        new ShareAllocation.RegionDemand("a", 900_000, 100_000, 1_000_000, 900_000, false, HERE);
    ShareAllocation.RegionDemand small = using("b", 100_000, 10);
    assertThat(of(full, small).gifts()).hasSize(1).first().matches(g -> g.from().equals("a"));
    assertThat(of(busy, small).gifts()).isEmpty();
  }

  @Test
  void gifts_refusedWithoutAnyConsumption_isARegionThatRunsDry() {
    ShareAllocation.RegionDemand refused =
        new ShareAllocation.RegionDemand("b", 10_000, 0, 60_000, 60_000, true, HERE);
    assertThat(of(using("a", 990_000, 100), refused).gifts())
        .containsExactly(new ShareAllocation.Transfer("a", "b", 883_750));
  }

  @Test
  void gifts_newRegionWithNothing_getsItsFloorAtOnce() {
    ShareAllocation.RegionDemand fresh =
        new ShareAllocation.RegionDemand("c", 0, 0, 0, 0, false, HERE);
    assertThat(of(using("a", 500_000, 300), using("b", 500_000, 300), fresh).gifts())
        .isNotEmpty()
        .allMatch(gift -> gift.to().equals("c"))
        .extracting(ShareAllocation.Transfer::ppm)
        .satisfies(ppm -> assertThat(ppm.stream().mapToInt(i -> i).sum()).isGreaterThan(10_000));
  }

  @Test
  void gifts_staleRegion_keepsWhatItHasAndGivesNothing() {
    ShareAllocation allocation =
        of(dry("a", 500_000, 500), ShareAllocation.RegionDemand.stale("b", 500_000));
    assertThat(allocation.targetPpm("a")).isEqualTo(500_000);
    assertThat(allocation.targetPpm("b")).isEqualTo(500_000);
    assertThat(allocation.gifts()).isEmpty();
  }

  @Test
  void gifts_drainingRegion_givesAwayTheLastBit() {
    ShareAllocation.RegionDemand draining =
        new ShareAllocation.RegionDemand("b", 3, 0, 0, 0, false, Presence.DRAINING);
    ShareAllocation allocation = of(using("a", 999_997, 100), draining);
    assertThat(allocation.targetPpm("b")).isZero();
    assertThat(allocation.gifts()).containsExactly(new ShareAllocation.Transfer("b", "a", 3));
  }

  @Test
  void gifts_lessThanIsWorthAWrite_none() {
    assertThat(of(dry("a", 986_000, 986), using("b", 14_000, 9)).gifts()).isEmpty();
  }

  /** A limit by the day, of which a window returns next to nothing: balances decide. */
  @Test
  void targets_consumedFarFasterThanItReturns_theDryGetAsMuchAsTheGreatest() {
    Limit daily = Limit.perDay("tpd", 1_000_000);
    ShareAllocation.RegionDemand rich =
        new ShareAllocation.RegionDemand(
            "a", 500_000, 5_000_000, 400_000_000, 395_000_000, false, HERE);
    ShareAllocation.RegionDemand poor =
        new ShareAllocation.RegionDemand("b", 500_000, 5_000_000, 5_000_000, 0, false, HERE);
    ShareAllocation allocation = ShareAllocation.of(daily, POLICY, List.of(rich, poor));
    assertThat(allocation.targetPpm("b")).isBetween(499_000L, 501_000L);
  }

  @Test
  void any_needs_targetsSumToTheWholeAndGiftsKeepToThem() {
    Seeds.forEach(
        3_000,
        (random, seed) -> {
          List<ShareAllocation.RegionDemand> needs = needs(random);
          ShareAllocation allocation = ShareAllocation.of(LIMIT, POLICY, needs);
          Map<String, Long> after = new HashMap<>();
          long targets = 0;
          boolean present = false;
          for (ShareAllocation.RegionDemand need : needs) {
            targets += allocation.targetPpm(need.region());
            after.put(need.region(), need.sharePpm());
            present |= need.presence() == HERE;
            if (need.presence() == HERE) {
              long floor = Math.min(POLICY.floorPpm(needs.size()), free(needs));
              assertThat(allocation.targetPpm(need.region())).isGreaterThanOrEqualTo(floor);
            }
          }
          assertThat(targets).isLessThanOrEqualTo(Ppm.WHOLE);
          if (present) {
            assertThat(targets).isEqualTo(Ppm.WHOLE);
          }
          for (ShareAllocation.Transfer gift : allocation.gifts()) {
            after.merge(gift.from(), (long) -gift.ppm(), Long::sum);
            after.merge(gift.to(), (long) gift.ppm(), Long::sum);
          }
          for (ShareAllocation.RegionDemand need : needs) {
            long target = allocation.targetPpm(need.region());
            long share = after.getOrDefault(need.region(), 0L);
            if (need.sharePpm() >= target) {
              assertThat(share).as("a donor").isBetween(target, need.sharePpm());
            } else {
              assertThat(share).as("a receiver").isBetween(need.sharePpm(), target);
            }
          }
          List<ShareAllocation.RegionDemand> shuffled = new ArrayList<>(needs);
          Collections.shuffle(shuffled, new java.util.Random(seed));
          assertThat(ShareAllocation.of(LIMIT, POLICY, shuffled).gifts())
              .isEqualTo(allocation.gifts());
        });
  }

  @Test
  void policy_outOfRange_isRefused() {
    assertThatThrownBy(() -> new AllocationPolicy(0, 300_000, 1, 1, 1))
        .hasMessage("window 0 must be from 100 to 3600000");
    assertThat(POLICY.floorPpm(4)).isEqualTo(10_000);
    assertThat(new AllocationPolicy(100, 300_000, 500_000, 1, 1).floorPpm(4)).isEqualTo(125_000);
  }

  private static final Presence HERE = Presence.PRESENT;

  private static long free(List<ShareAllocation.RegionDemand> needs) {
    long free = Ppm.WHOLE;
    int present = 0;
    for (ShareAllocation.RegionDemand need : needs) {
      free -= need.presence() == Presence.STALE ? need.sharePpm() : 0;
      present += need.presence() == HERE ? 1 : 0;
    }
    return free / present;
  }

  private static List<ShareAllocation.RegionDemand> needs(RandomGenerator random) {
    int count = random.nextInt(1, 9);
    List<ShareAllocation.RegionDemand> needs = new ArrayList<>();
    long left = Ppm.WHOLE;
    for (int i = 0; i < count; i++) {
      long share = i == count - 1 ? left : random.nextLong(left + 1);
      left -= share;
      long available = random.nextLong(7_000_000);
      long consumed = random.nextLong(available + 1);
      int presence = random.nextInt(8);
      needs.add(
          presence == 0
              ? ShareAllocation.RegionDemand.stale("r" + i, share)
              : new ShareAllocation.RegionDemand(
                  "r" + i,
                  share,
                  random.nextBoolean() ? consumed : 0,
                  available,
                  random.nextLong(-1_000, available + 1),
                  random.nextInt(5) == 0,
                  presence == 1 ? Presence.DRAINING : HERE));
    }
    return needs;
  }

  /** One that used all it had. */
  private static ShareAllocation.RegionDemand dry(String name, long share, long tokens) {
    return new ShareAllocation.RegionDemand(
        name, share, tokens * 1_000, tokens * 1_000, 0, false, HERE);
  }

  /** One that used some and is full. */
  private static ShareAllocation.RegionDemand using(String name, long share, long tokens) {
    long ceiling = Ppm.partOf(LIMIT.burstMilli(), share);
    return new ShareAllocation.RegionDemand(
        name, share, tokens * 1_000, ceiling + tokens * 1_000, ceiling, false, HERE);
  }

  private static ShareAllocation.RegionDemand idle(String name) {
    return using(name, 250_000, 0);
  }

  private static ShareAllocation of(ShareAllocation.RegionDemand... needs) {
    return ShareAllocation.of(LIMIT, POLICY, List.of(needs));
  }
}
