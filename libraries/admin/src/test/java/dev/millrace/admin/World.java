package dev.millrace.admin;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.ShardWrites;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A store in memory, a clock that waiting moves, and an administration on one thread. */
final class World {
  static final long START_MS = 1_700_000_000_000L;
  static final String NS = "default";
  static final LimitSet RPM_10 = LimitSet.of(Limit.perMinute("rpm", 10));
  static final LimitSet RPM_100 = LimitSet.of(Limit.perMinute("rpm", 100));

  /** How long the administration has waited. */
  long waitedMs;

  /** Every process has its own chance. */
  private long seed;

  /** Every write of a bucket has its own id. */
  private long ops;

  final ManualClock clock = new ManualClock(START_MS);
  final InMemoryStore memory = new InMemoryStore();
  final RecordingStore recording = RecordingStore.over(memory);
  final FaultyStore store = FaultyStore.over(recording);
  final Admin admin = another();
  final NamespaceAdmin ns = admin.in(NS);

  AdminOptions.Builder options() {
    return AdminOptions.builder("tester")
        .clockMs(clock::nowMs)
        .pacer(
            ms -> {
              waitedMs += ms;
              clock.advance(Duration.ofMillis(ms));
            })
        .random(new SplittableRandom(++seed))
        .concurrency(1)
        .maxWritesPerSecond(1_000_000);
  }

  /** An administration of the same table in another process. */
  Admin another() {
    return Admin.of(store, options().build());
  }

  Admin another(AdminOptions.Builder options) {
    return Admin.of(store, options.build());
  }

  /** What holds now, as a limiter with fresh copies resolves it; null when nothing is stored. */
  @Nullable EffectiveLimits terms(String entityId, String resource) {
    return ConfigRecords.of(NS, entityId, resource, memory::record).resolve().terms(null);
  }

  /** A full bucket of what holds now. */
  BucketState open(String entityId, String resource) {
    return open(entityId, resource, 1);
  }

  /** A full bucket of what holds now, divided into so many shards. Returns the first. */
  BucketState open(String entityId, String resource, int shards) {
    EffectiveLimits terms = Objects.requireNonNull(terms(entityId, resource));
    BucketKey first = BucketKey.first(NS, entityId, resource);
    for (int shard = 1; shard < shards; shard++) {
      create(first.withShard(shard), shards, terms.limits(), terms.stamp());
    }
    return create(first, shards, terms.limits(), terms.stamp());
  }

  /** One shard of a full bucket that is divided into so many. */
  BucketState create(BucketKey key, int shards, LimitSet limits, ConfigStamp stamp) {
    List<LimitState> full = new ArrayList<>();
    limits.forEach(limit -> full.add(LimitState.full(limit, ShardShare.of(key.shard(), shards))));
    BucketState state =
        new BucketState(
            key,
            clock.nowMs(),
            full,
            Division.of(shards, shards),
            WriteUnits.DYNAMODB.fullMilli(),
            BucketState.NEVER,
            "made",
            stamp);
    StoreReply reply = memory.execute(new StoreCall.Write(new WritePlan.Create(state)), 1_000);
    return ((StoreReply.Applied) reply).state();
  }

  /** Splits a shard in two, as a limiter does. */
  void split(BucketKey parent) {
    BucketState state = bucket(parent);
    int count = bucket(parent.withShard(0)).shardCount();
    commit(ShardWrites.split(state, count, WriteUnits.DYNAMODB, this::nextOp));
  }

  /**
   * Brings a shard and the one that was split off it last together, as a limiter does. Returns
   * whether that could be done: the other one may have split further, or be ahead.
   */
  boolean merge(BucketKey parent) {
    BucketState state = bucket(parent);
    BucketState child =
        state.division().isWhole() ? null : memory.snapshot(ShardWrites.lastChildOf(state));
    List<WritePlan> plans =
        child == null || child.division().level() != state.division().level()
            ? null
            : ShardWrites.merge(state, child, clock.nowMs(), PlanSettings.DEFAULT, this::nextOp);
    if (plans != null) {
      commit(plans);
    }
    return plans != null;
  }

  private void commit(List<WritePlan> plans) {
    StoreCall call = new StoreCall.Transaction(plans, List.of(), nextOp());
    if (!(memory.execute(call, 1_000) instanceof StoreReply.Committed)) {
      throw new IllegalStateException("not made: " + plans);
    }
  }

  private String nextOp() {
    return "world-" + ++ops;
  }

  /** Charges a bucket, below zero if need be. */
  void charge(BucketKey key, String limit, long tokens) {
    long milli = tokens * Limit.MILLI;
    WritePlan adjust =
        new WritePlan.Adjust(
            key,
            List.of(LimitChange.unconditional(limit, -milli, milli)),
            BucketState.NEVER,
            "charged");
    memory.execute(new StoreCall.Write(adjust), 1_000);
  }

  BucketState bucket(String entityId, String resource) {
    return bucket(entityId, resource, 0);
  }

  BucketState bucket(String entityId, String resource, int shard) {
    return bucket(new BucketKey(NS, entityId, resource, shard));
  }

  private BucketState bucket(BucketKey key) {
    return Objects.requireNonNull(memory.snapshot(key), "no such bucket");
  }

  /** The shards of a bucket that there are, in the order of their numbers. */
  List<BucketState> shards(String entityId, String resource) {
    List<BucketState> shards = new ArrayList<>();
    for (ListEntry entry : listed(new Listing.BucketsOfEntity(NS, entityId))) {
      BucketKey key = ((ListEntry.Bucket) entry).key();
      if (key.resource().equals(resource)) {
        shards.add(bucket(key));
      }
    }
    shards.sort(Comparator.comparing(shard -> shard.key().shard()));
    return shards;
  }

  /** What all shards of a bucket have stored of a limit. */
  long tokensMilli(String entityId, String resource, String limit) {
    return shards(entityId, resource).stream()
        .mapToLong(shard -> Objects.requireNonNull(shard.find(limit)).tokensMilli())
        .sum();
  }

  /** What all shards of a bucket can hold of a limit. */
  long ceilingMilli(String entityId, String resource, String limit) {
    return shards(entityId, resource).stream()
        .mapToLong(shard -> Objects.requireNonNull(shard.find(limit)).ceilingMilli(shard.share()))
        .sum();
  }

  @Nullable EntityRecord entity(String entityId) {
    return (EntityRecord) memory.record(new RecordKey.Entity(NS, entityId));
  }

  /** An entity that is there. */
  EntityRecord known(String entityId) {
    return Objects.requireNonNull(entity(entityId), "no such entity");
  }

  static LimitSet limitsOf(BucketState state) {
    return LimitSet.of(state.limits().stream().map(LimitState::limit).toList());
  }

  /** Everything of a listing, without the administration. */
  List<ListEntry> listed(Listing listing) {
    List<ListEntry> all = new ArrayList<>();
    String cursor = null;
    do {
      StoreReply.Page page =
          (StoreReply.Page) memory.execute(new StoreCall.ListPage(listing, 100, cursor), 1_000);
      all.addAll(page.entries());
      cursor = page.cursor();
    } while (cursor != null);
    return all;
  }

  /** The actions of all audit events of a subject, the oldest first. */
  List<String> actions(String subject) {
    List<String> actions = new ArrayList<>();
    for (ListEntry entry : listed(new Listing.AuditOfSubject(NS, subject, "", ""))) {
      actions.add(0, ((AuditEvent) ((ListEntry.Stored) entry).record()).action());
    }
    return actions;
  }

  /** Everything that is stored, to see that nothing was written. */
  Set<Object> everything() {
    return new HashSet<>(memory.items());
  }
}
