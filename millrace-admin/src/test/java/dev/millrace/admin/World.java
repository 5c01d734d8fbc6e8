package dev.millrace.admin;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.Standing;
import dev.millrace.core.config.Terms;
import dev.millrace.core.directory.AuditEvent;
import dev.millrace.core.directory.EntityRecord;
import dev.millrace.core.directory.ListEntry;
import dev.millrace.core.directory.Listing;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.resolution.Levels;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.ArrayList;
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
  @Nullable Terms terms(String entityId, String resource) {
    return Levels.of(NS, entityId, resource, memory::record).resolve().terms(null);
  }

  /** A full bucket of what holds now. */
  BucketState open(String entityId, String resource) {
    return open(BucketKey.first(NS, entityId, resource), 1);
  }

  /** All shards of a full bucket of what holds now. */
  BucketState open(String entityId, String resource, int shards) {
    for (int shard = 1; shard < shards; shard++) {
      open(new BucketKey(NS, entityId, resource, shard), shards);
    }
    return open(BucketKey.first(NS, entityId, resource), shards);
  }

  private BucketState open(BucketKey key, int shards) {
    Terms terms = Objects.requireNonNull(terms(key.entityId(), key.resource()));
    return create(key, shards, terms.limits(), terms.standing());
  }

  BucketState create(BucketKey key, int shards, LimitSet limits, Standing standing) {
    List<LimitState> full = new ArrayList<>();
    limits.forEach(limit -> full.add(LimitState.full(limit)));
    BucketState state =
        new BucketState(key, clock.nowMs(), full, shards, BucketState.NEVER, "made", standing);
    StoreReply reply = memory.execute(new StoreCall.Write(new WritePlan.Create(state)), 1_000);
    return ((StoreReply.Applied) reply).state();
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
    return Objects.requireNonNull(
        memory.snapshot(new BucketKey(NS, entityId, resource, shard)), "no such bucket");
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
