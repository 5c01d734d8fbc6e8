package dev.millrace.regions.sync;

import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.exchange.FetchResult;
import dev.millrace.regions.exchange.PublishResult;
import dev.millrace.regions.exchange.SnapshotExchange;
import dev.millrace.regions.peers.PeerView;
import dev.millrace.regions.snapshot.EncodedSnapshot;
import dev.millrace.regions.snapshot.PeerSink;
import dev.millrace.regions.snapshot.SnapshotHeader;
import dev.millrace.regions.snapshot.SnapshotReadResult;
import dev.millrace.regions.snapshot.SnapshotReader;
import dev.millrace.regions.snapshot.SnapshotRefusal;
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
  public RegionExchange(
      RegionSync sync, SnapshotExchange exchange, AllocationPolicy policy, SyncListener listener) {
    this.sync = sync;
    this.exchange = exchange;
    this.policy = policy;
    this.events = new SyncEvents(listener);
  }

  /** The exchange of one namespace, as in production; see {@link RegionSync}. */
  public static RegionExchange of(
      BlockingStore store,
      String namespaceId,
      SnapshotExchange place,
      AllocationPolicy policy,
      LongSupplier clockMs,
      Supplier<String> ids,
      SyncListener listener,
      ActiveView view) {
    RegionSync sync =
        new RegionSync(
            store, namespaceId, policy, PlanSettings.DEFAULT, clockMs, ids, listener, view);
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
    int heard = hearAll(site);
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
    int heard = site.isOut() ? 0 : hearAll(site);
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

  private int hearAll(RegionSite site) {
    readBytes = 0;
    List<String> all = new ArrayList<>(site.others());
    if (waiting) {
      all.addAll(site.sealedAndGone());
    }
    int heard = 0;
    for (String other : all) {
      sync.requireTime();
      heard += hear(other) ? 1 : 0;
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
    events.tell(listener -> listener.onEvicted(by));
    RegionSync.Outcome outcome = sync.withdraw(site);
    return new CycleReport(
        site.self(),
        /* evicted= */ true,
        outcome.work(),
        CycleReport.SnapshotTraffic.NOTHING,
        RegionRights.NONE,
        Math.max(0, sync.nowMs() - beganMs));
  }

  /** Whether a new valid snapshot of another region was read. */
  private boolean hear(String other) {
    FetchResult fetched = exchange.fetch(other, etags.get(other));
    if (fetched instanceof FetchResult.Failed failed) {
      events.tell(listener -> listener.onPeerFailed(other, failed.message()));
    } else if (fetched instanceof FetchResult.TooLarge large) {
      events.tell(
          listener ->
              listener.onRefusedSnapshot(
                  other,
                  new SnapshotReadResult.Refused(SnapshotRefusal.TOO_LARGE, large.message())));
    } else if (fetched instanceof FetchResult.Found found) {
      return read(other, found);
    }
    return false;
  }

  private boolean read(String other, FetchResult.Found found) {
    readBytes += found.snapshot().size();
    SnapshotReadResult reading;
    try {
      reading =
          SnapshotReader.read(
              other,
              found.snapshot(),
              found.snapshot().sha256(),
              new PeerSink(peers, sync.nowMs()));
    } catch (IOException e) {
      events.tell(listener -> listener.onPeerFailed(other, String.valueOf(e.getMessage())));
      return false;
    }
    etags.put(other, found.etag()); // a snapshot that was refused once is refused again
    if (reading instanceof SnapshotReadResult.Refused refused) {
      events.tell(listener -> listener.onRefusedSnapshot(other, refused));
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
    if (exchange.publish(site.self(), snapshot) instanceof PublishResult.Failed failed) {
      events.tell(listener -> listener.onPublishFailed(failed.message()));
      return 0;
    }
    return snapshot.size();
  }
}
