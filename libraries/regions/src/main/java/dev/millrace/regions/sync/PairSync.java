package dev.millrace.regions.sync;

import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.cycle.LimitCycle;
import dev.millrace.regions.cycle.LimitStep;
import dev.millrace.regions.cycle.OwnGauges;
import dev.millrace.regions.ledger.GlobalLimit;
import dev.millrace.regions.ledger.LimitLedger;
import dev.millrace.regions.peers.LimitKey;
import dev.millrace.regions.peers.PeerView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The step of one pair in one window. Its shared limits are examined; only when something has to
 * change is all of it read again, decided again and written in one transaction. So a crash is only
 * a delay, and what is published afterwards is what is enforced.
 */
final class PairSync {
  /**
   * Most transactions for one pair in one window; each but the last lost to a concurrent write of
   * the bucket. The next window tries again.
   */
  static final int MAX_ATTEMPTS = 24;

  private final RegionTable table;
  private final RegionSite site;
  private final AllocationPolicy policy;
  private final PeerView peers;
  private final ConsumptionMemory memories;
  private final SyncEvents events;
  private final boolean reconciles;
  private final PairWrite writes;
  private final long quietUntilMs;

  PairSync(
      RegionTable table,
      RegionSite site,
      AllocationPolicy policy,
      PeerView peers,
      ConsumptionMemory memories,
      SyncEvents events,
      PlanSettings plan,
      long quietUntilMs,
      boolean reconciles) {
    this.reconciles = reconciles;
    this.table = table;
    this.site = site;
    this.policy = policy;
    this.peers = peers;
    this.memories = memories;
    this.events = events;
    this.writes = new PairWrite(table, plan);
    this.quietUntilMs = quietUntilMs;
  }

  /**
   * Takes the step of this window.
   *
   * @param config the configuration stored for the pair, null for none
   * @param resource the configuration stored for its resource
   * @param shards of its bucket, none when there is no bucket
   * @return the state after the step; null when nothing is shared
   */
  @Nullable PairState sync(
      SharedPair pair,
      @Nullable ConfigRecord config,
      @Nullable ConfigRecord resource,
      List<BucketState> shards) {
    PairState seen = state(pair, config, resource, shards);
    if (seen == null) {
      return null;
    }
    if (seen.isOperators()) {
      events.tell(listener -> listener.onOperators(pair.entityId(), pair.resource()));
    } else if (seen.changes()) {
      return change(pair, shards.isEmpty() ? 1 : shards.get(0).division().level());
    } else {
      seen.holdings()
          .forEach(
              h ->
                  h.step()
                      .refusals()
                      .forEach(row -> events.tell(listener -> listener.onRefusedRow(row))));
    }
    memories.remember(pair, shards, seen.refused(), seen.nowMs());
    return seen;
  }

  /** The current state; null when nothing is shared. */
  @Nullable PairState look(
      SharedPair pair,
      @Nullable ConfigRecord config,
      @Nullable ConfigRecord resource,
      List<BucketState> shards) {
    return state(pair, config, resource, shards);
  }

  private @Nullable PairState change(SharedPair pair, int believed) {
    for (int attempt = 1; ; attempt++) {
      Map<RecordKey, StoredRecord> records =
          table.lookup(
              ConfigRecords.keys(pair.namespace(), pair.entityId(), pair.resource()),
              /* consistent= */ true);
      ConfigRecords levels =
          ConfigRecords.of(pair.namespace(), pair.entityId(), pair.resource(), records::get);
      PairState state =
          state(
              pair,
              levels.entityResource(),
              levels.resource(),
              table.shards(pair.bucket(), believed));
      if (state == null) {
        return null;
      }
      boolean due = !state.isOperators() && state.changes();
      StoredRecord stored = records.get(pair.config());
      long storedVersion = stored == null ? RecordChange.Put.ABSENT : stored.version();
      if (due && writes.make(state, levels, storedVersion)) {
        notifyListener(state);
        // A write of this process does not count as a refused request.
        PairState done = state.done().at(table.shards(pair.bucket(), believed), table.nowMs());
        memories.remember(pair, done.shards(), done.refused(), done.nowMs());
        return done;
      }
      if (due && attempt == MAX_ATTEMPTS) {
        events.tell(listener -> listener.onContended(pair.entityId(), pair.resource()));
        due = false;
      }
      if (!due) {
        memories.remember(pair, state.shards(), state.refused(), state.nowMs());
        return state;
      }
    }
  }

  private void notifyListener(PairState state) {
    if (state.isVoid()) {
      events.tell(
          listener -> listener.onWithdrawn(state.pair().entityId(), state.pair().resource()));
    }
    for (HeldLimit holding : state.holdings()) {
      holding.step().refusals().forEach(row -> events.tell(listener -> listener.onRefusedRow(row)));
      if (holding.changes()) {
        events.tell(
            listener ->
                listener.onChanged(
                    state.pair().entityId(),
                    state.pair().resource(),
                    holding.name(),
                    holding.ledger().sharePpm(),
                    holding.step().ledger().sharePpm()));
      }
    }
  }

  private @Nullable PairState state(
      SharedPair pair,
      @Nullable ConfigRecord config,
      @Nullable ConfigRecord resource,
      List<BucketState> shards) {
    int leastPpm = policy.floorPpm(site.declaration().regions().size());
    SharedLimits shared = SharedLimits.of(config, resource, leastPpm);
    if (shared == null) {
      return null;
    }
    long nowMs = table.nowMs();
    ConsumptionMemory.Since since = memories.since(pair, shards, quietUntilMs, nowMs);
    List<HeldLimit> holdings = new ArrayList<>(shared.whole().size());
    for (GlobalLimit limit : shared.whole()) {
      holdings.add(holding(pair, limit, config, shards, since, nowMs));
    }
    return new PairState(pair, config, shared.own(), holdings, shards, since.refused(), nowMs);
  }

  private HeldLimit holding(
      SharedPair pair,
      GlobalLimit limit,
      @Nullable ConfigRecord config,
      List<BucketState> shards,
      ConsumptionMemory.Since since,
      long nowMs) {
    String name = limit.whole().name();
    RegionsPart regions = config == null ? null : config.regions();
    String text = regions == null ? null : regions.texts().get(name);
    LimitLedger ledger =
        text == null
            ? site.declaration().initial(site.self())
            : LedgerText.parse(site.self(), text);
    if (PairState.lacks(shards, name)) {
      // It begins full, at the current share of the region. Received tokens are added afterwards.
      return new HeldLimit(limit, ledger, LimitStep.none(ledger), site.isOut());
    }
    if (site.isOut()) {
      return new HeldLimit(limit, ledger, LimitStep.none(ledger), /* isVoid= */ true);
    }
    LimitKey key = new LimitKey(pair.entityId(), pair.resource(), name);
    if (reconciles) {
      LimitStep agreed =
          LimitCycle.reconciliation(site.declaration(), limit, policy, key, peers, ledger, nowMs);
      return new HeldLimit(limit, ledger, agreed, /* isVoid= */ false);
    }
    long ceilingMilli = limit.ceilingMilli(ledger.sharePpm());
    OwnGauges own =
        new OwnGauges(
            PairState.balanceMilli(shards, name, ceilingMilli, nowMs),
            since.consumedMilli(name),
            since.elapsedMs(),
            since.askedInVain());
    LimitStep step =
        LimitCycle.step(site.declaration(), limit, policy, key, peers, ledger, own, nowMs);
    return new HeldLimit(limit, ledger, step, /* isVoid= */ false);
  }
}
