package dev.millrace.regions;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.regions.internal.snapshot.SnapshotHeader;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotRefusal;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A region's part in the exchange: in each window it reads the snapshots of the others, makes the
 * changes that follow, and publishes its own state. Every failure is a delay: the region continues
 * with its current holding. Not thread-safe.
 */
public final class RegionExchange {
  private final RegionSync sync;
  private final SnapshotExchange exchange;
  private final AllocationPolicy policy;
  private final SyncEvents events;
  private final PeerView peers = new PeerView();
  private final Map<String, String> etags = new HashMap<>();
  private long lastSequence;
  private long readBytes;

  /** Whether the seal of another region may be needed; unknown after a start. */
  private boolean waiting = true;

  /** An exchange that begins; earlier knowledge is published again by the others. */
  RegionExchange(
      RegionSync sync, SnapshotExchange exchange, AllocationPolicy policy, SyncListener listener) {
    this.sync = sync;
    this.exchange = exchange;
    this.policy = policy;
    this.events = new SyncEvents(listener);
  }

  /**
   * The exchange of one namespace.
   *
   * @param clockMs the machine's, in epoch milliseconds; corrected by that of the store
   * @param ids a new one each time: of writes and transactions
   * @param view an observer of the writes of the same table
   */
  public static RegionExchange of(
      BlockingStore store,
      String namespaceId,
      SnapshotExchange place,
      AllocationPolicy policy,
      LongSupplier clockMs,
      Supplier<String> ids,
      SyncListener listener,
      ActiveView view) {
    RegionSync sync = new RegionSync(store, namespaceId, policy, clockMs, ids, listener, view);
    return new RegionExchange(sync, place, policy, listener);
  }

  /**
   * One window that is broken off when it takes longer than {@code most}, up to one call to the
   * place of the exchange. That is a delay like any other.
   */
  public CycleReport cycle(Duration most) {
    sync.limit(most.toMillis());
    try {
      return cycle();
    } finally {
      sync.limit(-1);
    }
  }

  /** One window. */
  public CycleReport cycle() {
    return cycle(/* reconciles= */ false);
  }

  /**
   * One window in which this region's ledgers are made to agree with the published rows of the
   * others: an operator's command after this region's table was restored. Its bucket enforces the
   * result, and it is published.
   */
  public CycleReport reconcile() {
    return cycle(/* reconciles= */ true);
  }

  private CycleReport cycle(boolean reconciles) {
    long beganMs = sync.nowMs();
    RegionSite site = site();
    if (site.isOut()) {
      return withdraw(site, "", beganMs);
    }
    int heard = fetchAll(site);
    String sealer = peers.sealer(site.self());
    if (sealer != null) {
      return withdraw(site, sealer, beganMs);
    }
    RegionSync.Outcome outcome = reconciles ? sync.reconcile(site, peers) : sync.step(site, peers);
    waiting = outcome.work().waitingPairs() + outcome.work().failedPairs() > 0;
    sync.requireTime();
    int bytes = outcome.isPublishable() ? publish(site, outcome) : 0;
    return report(site, outcome, heard, bytes, beganMs);
  }

  /**
   * The current state: the snapshots of the others are read, and nothing is changed or published.
   */
  public CycleReport look() {
    long beganMs = sync.nowMs();
    RegionSite site = site();
    int heard = site.isOut() ? 0 : fetchAll(site);
    return report(site, sync.look(site, peers), heard, 0, beganMs);
  }

  private RegionSite site() {
    RegionSite site = sync.site();
    if (site == null) {
      throw new SyncException(
          "the namespace shares nothing with other regions: declare its region first", null);
    }
    return site;
  }

  private int fetchAll(RegionSite site) {
    readBytes = 0;
    List<String> all = new ArrayList<>(site.others());
    if (waiting) {
      all.addAll(site.sealedAndGone());
    }
    int heard = 0;
    for (String other : all) {
      sync.requireTime();
      heard += fetch(other) ? 1 : 0;
    }
    return heard;
  }

  private CycleReport report(
      RegionSite site, RegionSync.Outcome outcome, int heard, int bytes, long beganMs) {
    SortedMap<String, Long> agesMs = new TreeMap<>();
    for (String other : site.others()) {
      agesMs.put(other, peers.ageMs(other, sync.nowMs()));
    }
    return new CycleReport(
        site.self(),
        site.isOut(),
        outcome.work(),
        new CycleReport.SnapshotTraffic(heard, readBytes, bytes, agesMs),
        outcome.rights(),
        Math.max(0, sync.nowMs() - beganMs));
  }

  /** The window of an evicted region: it refuses what it shared. It neither gives nor publishes. */
  private CycleReport withdraw(RegionSite site, String by, long beganMs) {
    events.report(listener -> listener.onEvicted(by));
    RegionSync.Outcome outcome = sync.withdraw(site);
    return new CycleReport(
        site.self(),
        /* evicted= */ true,
        outcome.work(),
        CycleReport.SnapshotTraffic.NOTHING,
        CycleReport.RegionRights.NONE,
        Math.max(0, sync.nowMs() - beganMs));
  }

  /** Whether a new valid snapshot of another region was read. */
  private boolean fetch(String other) {
    SnapshotExchange.FetchResult fetched = exchange.fetch(other, etags.get(other));
    if (fetched instanceof SnapshotExchange.FetchResult.Failed failed) {
      events.report(listener -> listener.onPeerFailed(other, failed.message()));
    } else if (fetched instanceof SnapshotExchange.FetchResult.TooLarge large) {
      events.report(
          listener ->
              listener.onRefusedSnapshot(other, SnapshotRefusal.TOO_LARGE.name(), large.message()));
    } else if (fetched instanceof SnapshotExchange.FetchResult.Found found) {
      return read(other, found);
    }
    return false;
  }

  private boolean read(String other, SnapshotExchange.FetchResult.Found found) {
    readBytes += found.snapshot().size();
    SnapshotReadResult reading;
    try {
      reading =
          SnapshotReader.read(
              other, found.snapshot(), new SnapshotSink.PeerSink(peers, sync.nowMs()));
    } catch (IOException e) {
      events.report(listener -> listener.onPeerFailed(other, String.valueOf(e.getMessage())));
      return false;
    }
    etags.put(other, found.etag()); // a snapshot that was refused once is refused again
    if (reading instanceof SnapshotReadResult.Refused refused) {
      events.report(
          listener ->
              listener.onRefusedSnapshot(other, refused.refusal().name(), refused.message()));
      return false;
    }
    return true;
  }

  /** The number of published bytes, 0 when that failed. */
  private int publish(RegionSite site, RegionSync.Outcome outcome) {
    // It must also grow when the process restarts, another one takes over, or windows become
    // longer; and it does, as long as the clock advances.
    lastSequence = Math.max(lastSequence + 1, sync.nowMs());
    EncodedSnapshot snapshot;
    try {
      snapshot =
          EncodedSnapshot.of(
              new SnapshotHeader(
                  site.self(),
                  lastSequence,
                  sync.nowMs(),
                  policy.windowMs(),
                  outcome.seals(),
                  outcome.rows().size()),
              outcome.rows());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // written to memory
    }
    if (exchange.publish(site.self(), snapshot)
        instanceof SnapshotExchange.PublishResult.Failed failed) {
      events.report(listener -> listener.onPublishFailed(failed.message()));
      return 0;
    }
    return snapshot.size();
  }
}
