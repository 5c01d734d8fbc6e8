package dev.millrace.regions.peers;

import dev.millrace.regions.ledger.Ppm;
import dev.millrace.regions.ledger.TransferRows;
import org.jspecify.annotations.Nullable;

/**
 * The known state of one limit of another region: the greatest rows, and the gauges of the two
 * latest snapshots that had it. Merging is commutative, associative and idempotent, so it does not
 * matter in which order snapshots arrive, or how often.
 *
 * @param earlier the gauges before the latest, or null
 */
public record PeerLimit(TransferRows dealings, LimitGauges latest, @Nullable LimitGauges earlier) {
  /** The state in one snapshot. */
  public static PeerLimit of(TransferRows dealings, LimitGauges gauges) {
    return new PeerLimit(dealings, gauges, null);
  }

  /** The merge of both. */
  public PeerLimit merge(PeerLimit other) {
    LimitGauges first = later(latest, other.latest);
    LimitGauges second = below(first, latest, null);
    second = below(first, other.latest, second);
    second = below(first, earlier, second);
    second = below(first, other.earlier, second);
    return new PeerLimit(dealings.max(other.dealings), first, second);
  }

  private static LimitGauges later(LimitGauges a, LimitGauges b) {
    return LimitGauges.ORDER.compare(a, b) >= 0 ? a : b;
  }

  /** The later of two, among those that are from an earlier snapshot than {@code first}. */
  private static @Nullable LimitGauges below(
      LimitGauges first, @Nullable LimitGauges candidate, @Nullable LimitGauges best) {
    if (candidate == null || candidate.sequence() >= first.sequence()) {
      return best;
    }
    return best == null ? candidate : later(best, candidate);
  }

  /** The consumption between the last two snapshots; 0 when there is only one. */
  public long consumedMilli() {
    LimitGauges before = earlier;
    return before == null ? 0 : Math.max(0, latest.consumedMilli() - before.consumedMilli());
  }

  /**
   * The time between the last two snapshots, by the clock of their writer; 0 when there is only
   * one.
   */
  public long elapsedMs() {
    LimitGauges before = earlier;
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
    LimitGauges before = earlier;
    return before != null && latest.refused() > before.refused();
  }
}
