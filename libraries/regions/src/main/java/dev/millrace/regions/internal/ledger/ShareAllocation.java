package dev.millrace.regions.internal.ledger;

import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.regions.AllocationPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The decision how much every region should hold. A deterministic function: two regions with the
 * same knowledge reach the same result without coordination.
 *
 * <p>The demand of a region is known as long as it is not throttled: it is its consumption. A
 * region that runs dry would consume more, by an unknown amount. So the others get their
 * consumption and a margin, and all that is left goes to those that run dry. If that was too much,
 * the next window shows it, because then they no longer run dry. Growing step by step instead, say
 * by doubling in each window, would take seven windows from the floor to the whole, each of which
 * is lost.
 *
 * <p>When no region runs dry, what none of them needs is divided equally: it is the starting point
 * of the next region whose demand grows suddenly.
 */
public final class ShareAllocation {
  /**
   * The margin of a region beyond its consumption: a quarter, or a sixteenth when others starve.
   */
  private static final int SPARE_OF_PLENTY = 4;

  private static final int SPARE_OF_SHORTAGE = 16;

  /** A region that consumed all but this much of what was available was throttled. */
  private static final int EMPTY_PART = 8;

  /** A region with at least this much of its maximum balance does not need its share now. */
  private static final int FULL_PART = 2;

  /** The number of windows that counts as soon. */
  private static final int SOON_WINDOWS = 2;

  /**
   * The weight of a dry region beyond its consumption, since it may have had nothing to consume.
   */
  private static final long DRY_WEIGHT_PPM = Ppm.WHOLE / 16;

  /** Two tokens: with one it would take a whole refill to notice the next request. */
  private static final long SERVING_MILLI = 2 * Limit.MILLI;

  private final AllocationPolicy policy;
  private final List<RegionDemand> regions;
  private final boolean[] dry;
  private final long[] targetPpm;
  private final int floorPpm;
  private final long burstMilli;

  private ShareAllocation(Limit limit, AllocationPolicy policy, List<RegionDemand> regions) {
    this.burstMilli = limit.burstMilli();
    this.policy = policy;
    this.regions = regions;
    this.dry = new boolean[regions.size()];
    this.targetPpm = new long[regions.size()];
    this.floorPpm = floorPpm(limit, policy, regions.size());
  }

  /**
   * The share that every region keeps: enough to serve one request. Without it a region would never
   * consume anything, and its demand would stay unknown.
   */
  private static int floorPpm(Limit limit, AllocationPolicy policy, int regions) {
    long servingPpm = Ppm.ratio(SERVING_MILLI, limit.burstMilli()) + 1;
    int most = Ppm.WHOLE / (2 * regions);
    return (int) Math.min(most, Math.max(policy.floorPpm(regions), servingPpm));
  }

  /** Decides about {@code limit}, the whole, for all regions. */
  public static ShareAllocation of(Limit limit, AllocationPolicy policy, List<RegionDemand> needs) {
    List<RegionDemand> sorted = new ArrayList<>(needs);
    sorted.sort(Comparator.comparing(RegionDemand::region));
    ShareAllocation allocation = new ShareAllocation(limit, policy, List.copyOf(sorted));
    allocation.decide(Math.max(1, limit.refill().creditMilli(0, policy.windowMs())));
    return allocation;
  }

  private void decide(long windowMilli) {
    int size = regions.size();
    long[] usePpm = new long[size];
    long freePpm = Ppm.WHOLE;
    int present = 0;
    boolean anyDry = false;
    for (int i = 0; i < size; i++) {
      RegionDemand region = regions.get(i);
      if (region.presence() == RegionDemand.Presence.STALE) {
        targetPpm[i] = region.sharePpm();
        freePpm -= region.sharePpm();
      } else if (region.presence() == RegionDemand.Presence.PRESENT) {
        present++;
        usePpm[i] = Ppm.ratio(region.consumedMilli(), windowMilli);
        dry[i] = isDry(region, windowMilli);
        anyDry |= dry[i];
      }
    }
    if (present == 0 || freePpm <= 0) {
      return;
    }
    long eachPpm = Math.min(floorPpm, freePpm / present);
    long[] wantedPpm = new long[size];
    for (int i = 0; i < size; i++) {
      if (isPresent(i)) {
        targetPpm[i] = eachPpm;
        freePpm -= eachPpm;
        if (!dry[i]) {
          long spare = usePpm[i] / (anyDry ? SPARE_OF_SHORTAGE : SPARE_OF_PLENTY);
          wantedPpm[i] = Math.max(0, usePpm[i] + spare - eachPpm);
        }
      }
    }
    freePpm -= grant(wantedPpm, freePpm);
    share(freePpm, usePpm, anyDry);
  }

  /**
   * Grants the wanted amounts, or the same part of each as far as available. Returns the sum.
   *
   * <p>There is too little when regions that are not dry live on large balances, faster than the
   * limit refills. Then each dry region wants as much as the greatest of them.
   */
  private long grant(long[] wantedPpm, long freePpm) {
    long sum = 0;
    long greatest = 0;
    for (long wanted : wantedPpm) {
      sum += wanted;
      greatest = Math.max(greatest, wanted);
    }
    if (sum > freePpm) {
      for (int i = 0; i < wantedPpm.length; i++) {
        if (dry[i]) {
          wantedPpm[i] = greatest;
          sum += greatest;
        }
      }
    }
    long granted = 0;
    for (int i = 0; i < wantedPpm.length; i++) {
      long part = sum <= freePpm ? wantedPpm[i] : wantedPpm[i] * freePpm / sum;
      targetPpm[i] += part;
      granted += part;
    }
    return granted;
  }

  /** Divides the remaining share among the dry regions by consumption, or among all equally. */
  private void share(long freePpm, long[] usePpm, boolean anyDry) {
    long[] weights = new long[usePpm.length];
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = dry[i] ? dryWeight(i, usePpm) : !anyDry && isPresent(i) ? 1 : 0;
      sum += weights[i];
    }
    long left = freePpm;
    for (int i = 0; i < weights.length; i++) {
      long part = weights[i] * freePpm / sum;
      targetPpm[i] += part;
      left -= part;
    }
    for (int i = 0; i < weights.length && left > 0; i++) {
      if (weights[i] > 0) {
        targetPpm[i]++; // fewer are left over than there are regions
        left--;
      }
    }
  }

  /**
   * The weight of a dry region: its consumption. A region with requests that could grant nothing
   * may need as much as any other: the size of a request is not known before one was granted.
   */
  private long dryWeight(int index, long[] usePpm) {
    boolean inVain = regions.get(index).refused() && usePpm[index] == 0;
    return DRY_WEIGHT_PPM + (inVain ? Ppm.WHOLE / regions.size() : usePpm[index]);
  }

  private boolean isPresent(int index) {
    return regions.get(index).presence() == RegionDemand.Presence.PRESENT;
  }

  /** Whether it is empty, or will be soon at this rate. */
  private static boolean isDry(RegionDemand region, long windowMilli) {
    if (region.refused()) {
      return true;
    }
    long earnedMilli = Ppm.partOf(windowMilli, Math.min(Ppm.WHOLE, region.sharePpm()));
    long lossMilli = Math.max(0, region.consumedMilli() - earnedMilli);
    long leftMilli = region.availableMilli() - region.consumedMilli();
    return (region.consumedMilli() > 0 && leftMilli <= region.availableMilli() / EMPTY_PART)
        || region.balanceMilli() < SaturatedMath.multiply(lossMilli, SOON_WINDOWS);
  }

  /** The share that {@code region} should hold. */
  public long targetPpm(String region) {
    for (int i = 0; i < targetPpm.length; i++) {
      if (regions.get(i).region().equals(region)) {
        return targetPpm[i];
      }
    }
    return 0;
  }

  /**
   * All gifts that are worth making now, of every donor: regions with more than they should have
   * and regions with less are matched in the order of their names. Each donor makes its own gifts.
   * So several donors do not give to the same receiver what one of them could.
   *
   * <p>As long as no region runs dry and shares are close to their targets, there are none.
   */
  public List<Transfer> gifts() {
    boolean all = isFarOff();
    List<Transfer> gifts = new ArrayList<>();
    long[] givenPpm = new long[targetPpm.length];
    for (int to = 0; to < targetPpm.length; to++) {
      long missing = targetPpm[to] - regions.get(to).sharePpm();
      if (!isPresent(to) || !(all || isUrgent(to))) {
        continue;
      }
      for (int from = 0; from < targetPpm.length && missing > 0; from++) {
        long spare = regions.get(from).sharePpm() - targetPpm[from] - givenPpm[from];
        long ppm = Math.min(missing, spare);
        if (canGive(from, isUrgent(to)) && ppm >= least(from)) {
          gifts.add(new Transfer(regions.get(from).region(), regions.get(to).region(), (int) ppm));
          givenPpm[from] += ppm;
          missing -= ppm;
        }
      }
    }
    return gifts;
  }

  /**
   * Whether it can spare something. When no region is in need, one that is not full may only have
   * had a quiet moment, or another region may be about to need what it has.
   */
  private boolean canGive(int from, boolean urgent) {
    RegionDemand region = regions.get(from);
    return switch (region.presence()) {
      case STALE -> false;
      case DRAINING -> true;
      case PRESENT ->
          urgent
              || region.balanceMilli()
                  >= Ppm.partOf(burstMilli, Math.min(Ppm.WHOLE, region.sharePpm())) / FULL_PART;
    };
  }

  /** A region that is to be closed gives away everything. */
  private long least(int from) {
    return regions.get(from).presence() == RegionDemand.Presence.DRAINING
        ? 1
        : policy.leastGiftPpm();
  }

  private boolean isUrgent(int to) {
    return dry[to] || regions.get(to).sharePpm() < Math.min(floorPpm, targetPpm[to]);
  }

  private boolean isFarOff() {
    for (int i = 0; i < targetPpm.length; i++) {
      long off = Math.abs(targetPpm[i] - regions.get(i).sharePpm());
      if (off > policy.offPpm()
          || (regions.get(i).presence() == RegionDemand.Presence.DRAINING
              && regions.get(i).sharePpm() > 0)) {
        return true;
      }
    }
    return false;
  }

  /** A share that one region is to give to another. */
  public record Transfer(String from, String to, int ppm) {}

  /**
   * The known state of one region when shares are decided.
   *
   * @param region its name
   * @param sharePpm its share, including what is on its way to it
   * @param consumedMilli its consumption in one window
   * @param availableMilli what it could have consumed in it
   * @param balanceMilli its balance now
   * @param refused whether requests were refused meanwhile
   * @param presence whether it takes part
   */
  public record RegionDemand(
      String region,
      long sharePpm,
      long consumedMilli,
      long availableMilli,
      long balanceMilli,
      boolean refused,
      Presence presence) {
    /** The participation of a region. */
    public enum Presence {
      /** Its needs are known. */
      PRESENT,
      /** It was silent for too long: it needs nothing, and keeps what it has. */
      STALE,
      /** It gives away all it has, because it is to be closed. */
      DRAINING
    }

    /** A region that needs nothing and keeps what it has. */
    public static RegionDemand stale(String region, long sharePpm) {
      return new RegionDemand(region, sharePpm, 0, 0, 0, false, RegionDemand.Presence.STALE);
    }
  }
}
