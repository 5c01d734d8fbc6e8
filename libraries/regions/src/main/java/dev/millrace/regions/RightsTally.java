package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.PeerLimit;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.ledger.TransferRows;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sum of the rights of all limits of a window, one limit after the other.
 *
 * <p><b>The bound.</b> The sum of all holdings and of what is in flight must be the whole. The
 * holdings of others are known from snapshots of different times: one may show the credit of a gift
 * before the giver's snapshot shows the gift. The credit proves the gift, so a gift that was
 * credited and not yet published is subtracted from what the giver published:
 *
 * <pre>
 *   own + Σ published + Σ (gave[i→j] − got[j←i]) = whole        for all i but oneself
 * </pre>
 *
 * <p>The region's own rows are current: if others have credited more than it records as given, it
 * has lost gifts and still enforces them. Then the sum exceeds the whole, and the excess can be
 * admitted too much.
 *
 * <p>While not all survivors have published that they sealed an eviction, what they gave to the
 * evicted region is not known, and the bound is not computed.
 */
final class RightsTally {
  private final String self;
  private final List<String> others;
  private final Set<String> left;
  private final Set<String> stale = new HashSet<>();
  private final PeerView peers;
  private final boolean settled;

  private final SortedMap<String, Long> sharesPpm = new TreeMap<>();
  private long limits;
  private long inFlightPpm;
  private long inFlightMilli;
  private long strandedPpm;
  private long overPpm;
  private long overMilli;

  RightsTally(RegionSite site, PeerView peers, AllocationPolicy policy, long nowMs) {
    this.self = site.self();
    this.others = site.others();
    this.left = new HashSet<>(site.declaration().left());
    this.peers = peers;
    this.settled =
        others.stream()
            .allMatch(
                other ->
                    site.declaration().evictions().stream()
                        .filter(seal -> seal.survivors().contains(other))
                        .allMatch(seal -> peers.sealsOf(other).contains(seal)));
    for (String other : others) {
      if (peers.ageMs(other, nowMs) > policy.staleAfterMs()) {
        stale.add(other);
      }
    }
  }

  void add(LimitKey key, Limit whole, LimitLedger ledger) {
    limits++;
    sharesPpm.merge(self, (long) ledger.sharePpm(), Long::sum);
    long sumPpm = ledger.sharePpm() - gotFromOthers(ledger.dealings());
    long silentPpm = 0;
    for (String other : others) {
      @Nullable PeerLimit known = peers.find(other, key);
      long toldPpm =
          known == null ? Math.max(0, ledger.founding().basePpm(other)) : known.latest().sharePpm();
      sharesPpm.merge(other, toldPpm, Long::sum);
      sumPpm += toldPpm;
      TransferRows dealings = known == null ? TransferRows.NONE : known.dealings();
      sumPpm += gave(dealings) - gotFromOthers(dealings);
      sumPpm += inFlight(ledger.dealings().gave(other), dealings.got(self));
      silentPpm += known != null && stale.contains(other) ? toldPpm : 0;
    }
    strandedPpm = Math.max(strandedPpm, silentPpm);
    if (settled && sumPpm > Ppm.WHOLE) {
      overPpm = Math.max(overPpm, sumPpm - Ppm.WHOLE);
      overMilli =
          Math.max(
              overMilli, Ppm.partOf(whole.burstMilli(), Math.min(Ppm.WHOLE, sumPpm - Ppm.WHOLE)));
    }
  }

  private long gave(TransferRows dealings) {
    long ppm = 0;
    for (Map.Entry<String, TransferRow> row : dealings.gave().entrySet()) {
      ppm += left.contains(row.getKey()) ? row.getValue().ppm() : 0;
    }
    return ppm;
  }

  /** The region's own gifts are counted by {@link #inFlight}. */
  private long gotFromOthers(TransferRows dealings) {
    long ppm = 0;
    for (Map.Entry<String, TransferRow> row : dealings.got().entrySet()) {
      boolean counts = left.contains(row.getKey()) && !row.getKey().equals(self);
      ppm += counts ? row.getValue().ppm() : 0;
    }
    return ppm;
  }

  private long inFlight(TransferRow gave, TransferRow got) {
    long ppm = Math.max(0, gave.ppm() - got.ppm());
    inFlightPpm += ppm;
    inFlightMilli += Math.max(0, gave.milli() - got.milli());
    return ppm;
  }

  CycleReport.RegionRights rights() {
    SortedMap<String, Long> means = new TreeMap<>();
    sharesPpm.forEach((region, sum) -> means.put(region, sum / Math.max(1, limits)));
    return new CycleReport.RegionRights(
        means, inFlightPpm, inFlightMilli, strandedPpm, overPpm, overMilli);
  }
}
