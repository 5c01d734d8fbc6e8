package dev.millrace.regions;

import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.RegionShareWrites;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitCycle;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.LimitStep;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.RowReceipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The step of one pair in one window. Its shared limits are examined; only when something has to
 * change is all of it read again, decided again and written in one transaction. So a crash is only
 * a delay, and what is published afterwards is what is enforced.
 */
final class PairSync {
  /** The treatment of the pairs of a window. */
  enum Mode {
    /** Nothing changes. */
    LOOK,

    /** The step that follows from the published rows of the others. */
    STEP,

    /** The ledgers are made to agree with the published rows of the others. */
    RECONCILE
  }

  /**
   * Most transactions for one pair in one window; each but the last lost to a concurrent write of
   * the bucket. The next window tries again.
   */
  static final int MAX_ATTEMPTS = 24;

  /** Units of a write in a transaction. */
  private static final int UNITS = 2;

  private static final PlanSettings PLAN = PlanSettings.DEFAULT;

  private final RegionTable table;
  private final RegionSite site;
  private final AllocationPolicy policy;
  private final PeerView peers;
  private final ConsumptionMemory memories;
  private final SyncEvents events;
  private final Mode mode;
  private final long quietUntilMs;

  PairSync(
      RegionTable table,
      RegionSite site,
      AllocationPolicy policy,
      PeerView peers,
      ConsumptionMemory memories,
      SyncEvents events,
      long quietUntilMs,
      Mode mode) {
    this.mode = mode;
    this.table = table;
    this.site = site;
    this.policy = policy;
    this.peers = peers;
    this.memories = memories;
    this.events = events;
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
    if (seen == null || mode == Mode.LOOK) {
      return seen;
    }
    if (seen.isOperators()) {
      events.report(listener -> listener.onOperators(pair.entityId(), pair.resource()));
    } else if (seen.changes()) {
      return change(pair, shards.isEmpty() ? 1 : shards.get(0).division().level());
    } else {
      seen.holdings().forEach(this::reportRefusals);
    }
    memories.remember(pair, shards, seen.refused(), seen.nowMs());
    return seen;
  }

  private @Nullable PairState change(SharedPair pair, int believed) {
    for (int attempt = 1; ; attempt++) {
      Map<RecordKey, StoredRecord> records =
          table.lookup(ConfigRecords.keys(pair.namespace(), pair.entityId(), pair.resource()));
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
      if (due && write(state, levels, storedVersion)) {
        notifyListener(state);
        // A write of this process does not count as a refused request.
        PairState done = state.done().at(table.shards(pair.bucket(), believed), table.nowMs());
        memories.remember(pair, done.shards(), done.refused(), done.nowMs());
        return done;
      }
      if (due && attempt == MAX_ATTEMPTS) {
        events.report(listener -> listener.onContended(pair.entityId(), pair.resource()));
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
      events.report(
          listener -> listener.onWithdrawn(state.pair().entityId(), state.pair().resource()));
    }
    for (PairState.HeldLimit holding : state.holdings()) {
      reportRefusals(holding);
      if (holding.changes()) {
        events.report(
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

  private void reportRefusals(PairState.HeldLimit holding) {
    for (RowReceipt.Refused row : holding.step().refusals()) {
      events.report(listener -> listener.onRefusedRow(row.reason().name(), row.message()));
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
    List<PairState.HeldLimit> holdings = new ArrayList<>(shared.whole().size());
    for (GlobalLimit limit : shared.whole()) {
      holdings.add(holding(pair, limit, config, shards, since, nowMs));
    }
    return new PairState(pair, config, shared.own(), holdings, shards, since.refused(), nowMs);
  }

  private PairState.HeldLimit holding(
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
    if (site.isOut() || PairState.lacks(shards, name)) {
      // A new limit begins full, at the current share. Received tokens are added afterwards.
      return new PairState.HeldLimit(limit, ledger, LimitStep.none(ledger), site.isOut());
    }
    LimitKey key = new LimitKey(pair.entityId(), pair.resource(), name);
    LimitCycle cycle = new LimitCycle(site.declaration(), limit, policy, key, peers, ledger, nowMs);
    long ceilingMilli = limit.ceilingMilli(ledger.sharePpm());
    LimitCycle.OwnGauges own =
        new LimitCycle.OwnGauges(
            PairState.balanceMilli(shards, name, ceilingMilli, nowMs),
            since.consumedMilli(name),
            since.elapsedMs(),
            since.askedInVain());
    LimitStep step = mode == Mode.RECONCILE ? cycle.reconciliation() : cycle.step(own);
    return new PairState.HeldLimit(limit, ledger, step, /* isVoid= */ false);
  }

  /**
   * Writes the step in one transaction: the ledgers, the limits, and every shard. Returns whether
   * that was committed: nothing has changed since it was read.
   *
   * @param storedVersion of the record of the pair, {@link RecordChange.Put#ABSENT} for none
   */
  private boolean write(PairState state, ConfigRecords levels, long storedVersion) {
    ConfigRecord ofEntity = levels.entityDefault();
    ConfigRecord after = state.next(ofEntity == null ? 0 : ofEntity.versionFloor());
    EffectiveLimits terms =
        new ConfigRecords(
                levels.entity(), after, levels.entityDefault(), levels.resource(), levels.system())
            .resolve()
            .terms(null);
    if (terms == null) {
      throw new IllegalStateException("no limits for " + state.pair());
    }
    for (BucketState shard : state.shards()) {
      if (!terms.stamp().isAtLeast(shard.stamp())) {
        return false; // another record and the bucket changed since they were looked up
      }
    }
    return table.transact(plans(state, terms), List.of(new RecordChange.Put(after, storedVersion)))
        == null;
  }

  private List<WritePlan> plans(PairState state, EffectiveLimits terms) {
    if (state.shards().isEmpty()) {
      // If the next request created it instead, a process with an old copy could do so with the old
      // share.
      BucketState first = first(state, terms);
      BucketView projection = BucketView.of(first, terms, state.nowMs(), PLAN.maxSkewMs());
      WritePlan create = WritePlanner.create(projection, table.nextId());
      return List.of(create.priced(null, UNITS, PLAN.writeUnits()));
    }
    List<Map<String, Long>> moves = moves(state);
    List<WritePlan> plans = new ArrayList<>(moves.size());
    for (int i = 0; i < moves.size(); i++) {
      BucketState shard = state.shards().get(i);
      WritePlan write =
          RegionShareWrites.reshare(
              shard, terms, moves.get(i), state.nowMs(), PLAN, table.nextId());
      plans.add(write.priced(shard, UNITS, PLAN.writeUnits()));
    }
    return plans;
  }

  /**
   * A missing bucket is full at the share that the region had. Of a received share it has the
   * accompanying tokens and no more; the giver may have spent the others.
   */
  private static BucketState first(PairState state, EffectiveLimits terms) {
    BucketState full = BucketState.full(state.pair().bucket(), terms, state.nowMs());
    List<LimitState> limits = new ArrayList<>(full.limits().size());
    for (LimitState limit : full.limits()) {
      long milli = limit.tokensMilli();
      for (PairState.HeldLimit holding : state.holdings()) {
        if (holding.name().equals(limit.name()) && holding.changes()) {
          milli = Math.min(milli, holding.movedMilli());
        }
      }
      limits.add(new LimitState(limit.limit(), milli, limit.consumedMilli()));
    }
    return new BucketState(
        full.key(),
        full.refilledAtMs(),
        limits,
        full.division(),
        full.wcuMilli(),
        full.expiresAtSeconds(),
        full.op(),
        full.stamp());
  }

  /** The change of each shard, by the name of the limit. */
  private static List<Map<String, Long>> moves(PairState state) {
    List<Map<String, Long>> moves = new ArrayList<>(state.shards().size());
    state.shards().forEach(shard -> moves.add(new HashMap<>()));
    for (PairState.HeldLimit holding : state.holdings()) {
      long[] parts =
          TokenDivision.divide(
              holding.step().tokensMilli(), state.shards(), holding.name(), state.nowMs());
      for (int i = 0; i < parts.length; i++) {
        moves.get(i).put(holding.name(), parts[i]);
      }
    }
    return moves;
  }
}
