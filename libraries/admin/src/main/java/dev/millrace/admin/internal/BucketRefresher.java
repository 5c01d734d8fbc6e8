package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.internal.protocol.ApplyConfigProtocol;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The update of the buckets of a page to the configuration in effect. The configuration is looked
 * up once for the whole page, after the change was made; a bucket that was updated to a later
 * version is left alone. Where another change has reached the bucket first, which the look-up did
 * not see, its records are looked up again: neither change may be lost.
 *
 * <p>A bucket is written even if only a version is behind: another process may still be about to
 * write it for an earlier change, and must find that it is too late. Buckets that a change of
 * limits cannot concern are spared, because a stronger level has limits for them, or calls brought
 * them: of a hundred thousand entities with limits of their own, a change of their resource's
 * limits writes none.
 *
 * <p>A shard that is split off has the configuration of its parent. When that happens before the
 * parent is refreshed, the new shard is in no listing. So a bucket of several shards, or one that
 * turns out to have been split, is read again until no shard is due. A bucket that was undivided
 * when it was refreshed needs no second check: shards split off later have the new configuration.
 */
final class BucketRefresher {
  /**
   * Most searches for shards that are still due. Each finds those that were split off before their
   * parent was refreshed, so they are at least twice as fine as the last.
   */
  static final int MAX_ROUNDS = 8;

  /** Most attempts for a bucket whose refresh failed. */
  private static final int MAX_TRIES = 4;

  private final NamespaceScope scope;
  private final @Nullable ConfigLevel weakerThan;

  /**
   * For one page.
   *
   * @param changed the level whose limits were changed; null for another change, which concerns
   *     every bucket
   */
  BucketRefresher(NamespaceScope scope, @Nullable ConfigLevel changed) {
    this.scope = scope;
    this.weakerThan = changed;
  }

  /**
   * Refreshes the shards that need it and returns their number.
   *
   * @param buckets the shards of each bucket
   */
  long refresh(List<List<BucketState>> buckets) {
    List<BucketState> shards = buckets.stream().flatMap(List::stream).toList();
    Map<RecordKey, StoredRecord> records = lookup(shards);
    long changed = 0;
    for (int round = 1; ; round++) {
      List<DueShard> due = due(shards, records);
      if (due.isEmpty()) {
        return changed;
      }
      if (round > MAX_ROUNDS) {
        throw new LimiterUnavailableException(
            "shards were split off faster than they could be refreshed",
            Map.of("bucket", due.get(0).state().key(), "rounds", MAX_ROUNDS),
            null);
      }
      Set<BucketKey> divided = ConcurrentHashMap.newKeySet();
      changed += scope.tools().workers.sum(due, piece -> refresh(piece, divided));
      shards = again(due, divided);
    }
  }

  private record DueShard(BucketState state, EffectiveLimits terms) {
    BucketKey bucket() {
      return state.key().withShard(0);
    }
  }

  private Map<RecordKey, StoredRecord> lookup(List<BucketState> shards) {
    Set<RecordKey> keys = new LinkedHashSet<>();
    for (BucketState shard : shards) {
      BucketKey key = shard.key();
      keys.addAll(ConfigRecords.keys(key.namespace(), key.entityId(), key.resource()));
    }
    return scope.lookup(keys);
  }

  private List<DueShard> due(List<BucketState> shards, Map<RecordKey, StoredRecord> records) {
    List<DueShard> due = new ArrayList<>();
    for (BucketState shard : shards) {
      EffectiveLimits terms = terms(shard, records);
      if (concerns(shard, terms)) {
        due.add(new DueShard(shard, terms));
      }
    }
    return due;
  }

  /** The current shards of the buckets that were divided when they were refreshed. */
  private List<BucketState> again(List<DueShard> refreshed, Set<BucketKey> divided) {
    Map<BucketKey, Integer> believed = new LinkedHashMap<>();
    for (DueShard piece : refreshed) {
      if (divided.contains(piece.bucket())) {
        believed.merge(piece.bucket(), piece.state().division().level(), Math::max);
      }
    }
    List<BucketState> shards = new ArrayList<>();
    believed.forEach((bucket, level) -> shards.addAll(BucketReads.shards(scope, bucket, level)));
    return shards;
  }

  /** Limits that came with calls stay; where nothing is stored any more, the last ones stay. */
  private static EffectiveLimits terms(BucketState state, Map<RecordKey, StoredRecord> records) {
    BucketKey key = state.key();
    ResolvedConfig resolved =
        ConfigRecords.of(key.namespace(), key.entityId(), key.resource(), records::get).resolve();
    EffectiveLimits stored = resolved.terms(null);
    return stored == null || state.stamp().level() == ConfigLevel.CALL
        ? ApplyConfigProtocol.keepingLimits(state, resolved.stamp())
        : stored;
  }

  private boolean concerns(BucketState state, EffectiveLimits terms) {
    ConfigStamp has = state.stamp();
    ConfigStamp due = terms.stamp();
    if (!due.isAtLeast(has)) {
      // A bucket with this version or a later one was updated by a later change.
      return !has.isAtLeast(due);
    }
    boolean same =
        has.level() == due.level() && has.disabled() == due.disabled() && hasLimits(state, terms);
    boolean spared = weakerThan != null && due.level().compareTo(weakerThan) < 0;
    return !same || (!spared && !has.versions().equals(due.versions()));
  }

  private static boolean hasLimits(BucketState state, EffectiveLimits terms) {
    return state.limits().size() == terms.limits().size()
        && state.limits().stream()
            .map(LimitState::limit)
            .allMatch(limit -> terms.limits().asList().contains(limit));
  }

  private long refresh(DueShard piece, Set<BucketKey> divided) {
    AdminTools tools = scope.tools();
    EffectiveLimits terms = piece.terms();
    BucketState known = piece.state();
    StoreFailure failure = null;
    for (int tries = 1; tries <= MAX_TRIES; tries++) {
      tools.rate.take(1);
      ApplyConfigProtocol refresh =
          new ApplyConfigProtocol(piece.state().key(), terms, tools.options().plan(), tools.ops());
      ApplyConfigProtocol.Result result = scope.calls().run(refresh.start(known, tools.nowMs()));
      failure = result.failure();
      if (result.kind() == ApplyConfigProtocol.Kind.OUTDATED) {
        known = Objects.requireNonNull(result.state());
        terms = terms(known, lookup(List.of(known)));
        continue;
      }
      if (failure == null) {
        BucketState after = result.state();
        boolean undivided =
            piece.state().division().isWhole() && (after == null || after.division().isWhole());
        if (!undivided) {
          divided.add(piece.bucket());
        }
        return result.kind() == ApplyConfigProtocol.Kind.CHANGED ? 1 : 0;
      }
      known = null;
      if (tries < MAX_TRIES) {
        tools.retry.backOff(tries);
      }
    }
    throw new LimiterUnavailableException(
        failure == null
            ? "a bucket follows later versions of records than are stored"
            : "a bucket could not be refreshed",
        Map.of(
            "bucket",
            piece.state().key(),
            "follows",
            known == null ? "" : known.stamp().versions(),
            "stored",
            terms.stamp().versions(),
            "failure",
            String.valueOf(failure)),
        failure == null ? null : failure.cause());
  }
}
