package dev.millrace.regions.internal.ledger;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The known state of one limit of another region: the greatest rows, and the gauges of the two
 * latest snapshots that had it. Merging is commutative, associative and idempotent, so it does not
 * matter in which order snapshots arrive, or how often.
 *
 * @param earlier the gauges before the latest, or null
 */
public record PeerLimit(TransferRows dealings, Gauges latest, @Nullable Gauges earlier) {
  public static PeerLimit of(TransferRows dealings, Gauges gauges) {
    return new PeerLimit(dealings, gauges, null);
  }

  public PeerLimit merge(PeerLimit other) {
    Gauges first = later(latest, other.latest);
    Gauges second = below(first, latest, null);
    second = below(first, other.latest, second);
    second = below(first, earlier, second);
    second = below(first, other.earlier, second);
    return new PeerLimit(dealings.max(other.dealings), first, second);
  }

  private static Gauges later(Gauges a, Gauges b) {
    return Gauges.ORDER.compare(a, b) >= 0 ? a : b;
  }

  /** The later of two, among those that are from an earlier snapshot than {@code first}. */
  private static @Nullable Gauges below(
      Gauges first, @Nullable Gauges candidate, @Nullable Gauges best) {
    if (candidate == null || candidate.sequence() >= first.sequence()) {
      return best;
    }
    return best == null ? candidate : later(best, candidate);
  }

  /** The consumption between the last two snapshots; 0 when there is only one. */
  public long consumedMilli() {
    Gauges before = earlier;
    return before == null ? 0 : Math.max(0, latest.consumedMilli() - before.consumedMilli());
  }

  /**
   * The time between the last two snapshots, by the clock of their writer; 0 when there is only
   * one.
   */
  public long elapsedMs() {
    Gauges before = earlier;
    return before == null ? 0 : Math.max(0, latest.writtenAtMs() - before.writtenAtMs());
  }

  /**
   * Whether it is or was in use there, or some of it was transferred: false when it is full, as it
   * was before, with its initial share.
   */
  public boolean isActive() {
    return earlier == null
        || consumedMilli() > 0
        || wasRefused()
        || latest.sharePpm() == 0
        || latest.tokensMilli() < Ppm.partOf(latest.capacityMilli(), latest.sharePpm())
        || !dealings.isEmpty();
  }

  /** Whether requests were refused between the last two snapshots. */
  public boolean wasRefused() {
    Gauges before = earlier;
    return before != null && latest.refused() > before.refused();
  }

  /**
   * The state of one limit of one region when a snapshot was written. Unlike rows these are no
   * rights: they only show demand, and a later one replaces an earlier one.
   *
   * @param sequence the number of the snapshot
   * @param writtenAtMs by the clock of its writer, which is compared with no other clock
   * @param consumedMilli all consumption ever
   * @param tokensMilli the balance when it was written
   * @param capacityMilli of the whole limit, undivided
   * @param sharePpm the share of the region
   * @param refused the number of windows in which requests are known to have been refused
   */
  public record Gauges(
      long sequence,
      long writtenAtMs,
      long consumedMilli,
      long tokensMilli,
      long capacityMilli,
      int sharePpm,
      long refused) {
    /** By sequence; the other fields only make the order total, so that merging has one outcome. */
    static final Comparator<Gauges> ORDER =
        Comparator.comparingLong(Gauges::sequence)
            .thenComparingLong(Gauges::writtenAtMs)
            .thenComparingLong(Gauges::consumedMilli)
            .thenComparingLong(Gauges::tokensMilli)
            .thenComparingLong(Gauges::capacityMilli)
            .thenComparingInt(Gauges::sharePpm)
            .thenComparingLong(Gauges::refused);
  }
}
