package dev.millrace.regions;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.snapshot.SnapshotRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A region's part in the exchange, without the exchange itself: given the knowledge of the others,
 * it updates all pairs of one namespace, and returns what is to be published. Not thread-safe; two
 * at once are harmless, because every change is one conditional write, but the second one does
 * nothing useful.
 */
final class RegionSync {
  /** Pairs that are read with one call. */
  private static final int CHUNK = 50;

  private final RegionTable table;
  private final String namespace;
  private final AllocationPolicy policy;
  private final SyncEvents events;
  private final ConsumptionMemory memories = new ConsumptionMemory();
  private final ActivePairs active;
  private long lastStepMs;

  /**
   * A sync for one namespace.
   *
   * @param namespace its id
   * @param clockMs the machine's, in epoch milliseconds; corrected by that of the store
   * @param ids a new one each time: of writes and transactions
   * @param view an observer of the writes of the same table
   */
  RegionSync(
      BlockingStore store,
      String namespace,
      AllocationPolicy policy,
      LongSupplier clockMs,
      Supplier<String> ids,
      SyncListener listener,
      ActiveView view) {
    this.table = new RegionTable(store, clockMs, ids);
    this.active = new ActivePairs(table, namespace, view);
    this.namespace = namespace;
    this.policy = policy;
    this.events = new SyncEvents(listener);
  }

  /**
   * The result of a window.
   *
   * @param rows to be published, those of one entity consecutive
   * @param seals evictions that all ledgers of the region have sealed
   */
  record Outcome(
      List<SnapshotRow> rows,
      List<EvictionSeal> seals,
      CycleReport.Work work,
      CycleReport.RegionRights rights) {
    Outcome {
      rows = List.copyOf(rows);
      seals = List.copyOf(seals);
    }

    /**
     * Whether it may be published. A limit that is missing in a snapshot counts as one about which
     * there is nothing to know; once a region is evicted, that must be true.
     */
    boolean isPublishable() {
      return work.failedPairs() == 0 || seals.isEmpty();
    }
  }

  /** Sets how long a window may take from now on; negative for no limit. */
  void limit(long ms) {
    table.limit(ms);
  }

  /** Ends the window when its time is up. */
  void requireTime() {
    table.leftMs();
  }

  /** The current time, by the clock of the store. */
  long nowMs() {
    return table.nowMs();
  }

  /** The region of this table; null when the namespace shares nothing. */
  @Nullable RegionSite site() {
    RecordKey.Config system = RecordKey.Config.ofSystem(namespace);
    return RegionSite.of((ConfigRecord) table.lookup(List.of(system)).get(system));
  }

  /**
   * Removes everything that an evicted region shared: of resources, and of their pairs. Its state
   * is kept in the tables alone from then on, and it goes on as long as there are new pairs.
   *
   * @return the result; there is nothing to publish
   */
  Outcome withdraw(RegionSite site) {
    EvictionRecords withdrawal = new EvictionRecords(table, namespace);
    withdrawal.mark();
    withdrawal.withdraw(resources().keySet(), policy.floorPpm(site.declaration().regions().size()));
    return step(site.out(), new PeerView());
  }

  /** The current state of the pairs, without any step. */
  Outcome look(RegionSite site, PeerView peers) {
    return new Step(site, peers, PairSync.Mode.LOOK).run();
  }

  /** Takes the step of one window with every pair that is active here or elsewhere. */
  Outcome step(RegionSite site, PeerView peers) {
    return change(site, peers, PairSync.Mode.STEP);
  }

  /**
   * Makes this region's ledgers agree with the published rows of the others, because an operator
   * has declared that those are right. A pair that cannot be made to agree counts as failed.
   */
  Outcome reconcile(RegionSite site, PeerView peers) {
    return change(site, peers, PairSync.Mode.RECONCILE);
  }

  private Outcome change(RegionSite site, PeerView peers, PairSync.Mode mode) {
    Step step = new Step(site, peers, mode);
    Outcome outcome = step.run();
    lastStepMs = step.nowMs;
    active.finished();
    return outcome;
  }

  /** One window. */
  private final class Step {
    private final RegionSite site;
    private final Map<String, ConfigRecord> resources;
    private final ActivePairs.Window window;
    private final PairSync sync;
    private final RightsTally tally;
    private final List<SnapshotRow> rows = new ArrayList<>();
    private int failed;
    private int operators;
    private int waiting;

    private final long nowMs;

    Step(RegionSite site, PeerView peers, PairSync.Mode mode) {
      this.site = site;
      this.resources = resources();
      this.nowMs = table.nowMs();
      this.window = active.begin(site, resources.keySet(), peers);
      this.tally = new RightsTally(site, peers, policy, nowMs);
      long quietUntilMs = window.isFromView() ? lastStepMs : 0;
      this.sync = new PairSync(table, site, policy, peers, memories, events, quietUntilMs, mode);
    }

    Outcome run() {
      List<SharedPair> pairs = List.copyOf(window.pairs());
      for (int from = 0; from < pairs.size(); from += CHUNK) {
        chunk(pairs.subList(from, Math.min(pairs.size(), from + CHUNK)));
      }
      rows.sort(
          Comparator.comparing((SnapshotRow row) -> row.key().entityId())
              .thenComparing(row -> row.key().resource())
              .thenComparing(row -> row.key().limit()));
      CycleReport.Work work =
          new CycleReport.Work(
              window.pairs().size(), rows.size(), failed, waiting, operators, window.isFromView());
      // All ledgers were sealed in this very step, or it has failed.
      return new Outcome(rows, site.declaration().evictions(), work, tally.rights());
    }

    private void chunk(List<SharedPair> chunk) {
      Map<RecordKey, StoredRecord> configs;
      Map<BucketKey, BucketState> buckets;
      try {
        // A published row must never be taken back, which a stale copy would do.
        configs = table.lookup(chunk.stream().map(SharedPair::config).toList());
        buckets = table.readAll(chunk.stream().map(SharedPair::bucket).toList());
      } catch (SyncException e) {
        if (e.isLate()) {
          throw e;
        }
        chunk.forEach(pair -> failed(pair, e));
        return;
      }
      for (SharedPair pair : chunk) {
        try {
          ConfigRecord config = (ConfigRecord) configs.get(pair.config());
          ConfigRecord resource = resources.get(pair.resource());
          List<BucketState> shards = shards(pair, buckets.get(pair.bucket()));
          add(pair, sync.sync(pair, config, resource, shards));
        } catch (SyncException e) {
          if (e.isLate()) {
            throw e;
          }
          failed(pair, e);
        } catch (IllegalArgumentException e) { // the stored text may be invalid
          failed(pair, e);
        }
      }
    }

    private void add(SharedPair pair, @Nullable PairState state) {
      boolean kept = state != null && state.isKept();
      active.done(pair, kept);
      if (state == null) {
        return;
      }
      if (state.isOperators()) {
        operators++;
      }
      if (state.isWaiting()) {
        waiting++;
      }
      state.tally(tally);
      if (window.isPublished(pair, kept)) {
        rows.addAll(state.rows());
      }
    }

    private void failed(SharedPair pair, RuntimeException e) {
      events.report(listener -> listener.onPairFailed(pair.entityId(), pair.resource(), e));
      active.done(pair, /* isKept= */ true); // it is examined again
      failed++;
    }
  }

  private List<BucketState> shards(SharedPair pair, @Nullable BucketState first) {
    if (first == null) {
      return List.of();
    }
    return first.division().level() == 1
        ? List.of(first)
        : table.shards(pair.bucket(), first.division().level());
  }

  /** The resources with shared limits, and their stored configuration. */
  private SortedMap<String, ConfigRecord> resources() {
    SortedMap<String, ConfigRecord> resources = new TreeMap<>();
    table.list(
        new Listing.ResourceConfigs(namespace),
        entry -> {
          if (entry instanceof ListEntry.Stored stored
              && stored.record() instanceof ConfigRecord config
              && config.regions() != null) {
            resources.put(config.key().resource(), config);
          }
        });
    // The listing may lag behind; the declaration must not.
    Map<RecordKey, StoredRecord> now =
        new HashMap<>(
            table.lookup(
                resources.keySet().stream()
                    .map(resource -> RecordKey.Config.ofResource(namespace, resource))
                    .toList()));
    now.values()
        .forEach(
            record ->
                resources.put(((ConfigRecord) record).key().resource(), (ConfigRecord) record));
    return resources;
  }
}
