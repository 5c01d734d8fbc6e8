package dev.millrace.client.internal.shard;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.DisabledBucket;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterOptions;
import dev.millrace.Refusal;
import dev.millrace.Rejection;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.client.internal.write.LegOutcomes;
import dev.millrace.client.internal.write.NewerConfig;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.ShardReadProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides refusals from memory, and computes the status of limits without a write: from the mirror,
 * or from a read. {@link #refusal} is the only refusal that needs no store call; the others are
 * decided by the commit, and {@link #rejection} puts them together for the caller.
 */
public final class BucketForecast {
  private final LimiterOptions options;
  private final long maxSkewMs;
  private final Mirror mirror;
  private final StoreClock clock;

  public BucketForecast(LimiterOptions options, Mirror mirror, StoreClock clock) {
    this.options = options;
    this.maxSkewMs = mirror.plan().maxSkewMs();
    this.mirror = mirror;
    this.clock = clock;
  }

  /** The refusal that costs nothing, or null when the store must be asked. */
  public @Nullable Refusal refusal(ResolvedRequest prepared) {
    List<Leg> legs = prepared.legs();
    for (int i = 0; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      BucketSnapshot snapshot = leg.bucket().snapshot();
      if (snapshot == null) {
        continue;
      }
      long nowMs = leg.bucket().nowMs();
      if (!snapshot.isTrusted(nowMs)) {
        continue;
      }
      MirroredBucket.MemoryAnswer last = legs.size() == 1 ? leg.bucket().lastAnswer() : null;
      if (last != null && !last.isOf(leg, nowMs)) {
        last = null;
      }
      BucketState state = snapshot.state();
      if (!state.division().isWhole()) {
        if (last != null && last.rejection() == null) {
          continue; // many shards are not added up again: whether one is short, its write tells
        }
        Refusal divided = refusalOfShards(leg, legs);
        if (divided != null) {
          return divided;
        }
        remember(snapshot, leg, nowMs, /* rejection= */ null);
        continue;
      }
      if (last != null && last.rejection() != null && last.isFrom(snapshot)) {
        return last.rejection();
      }
      BucketView view = BucketView.of(state, leg.terms(), nowMs, maxSkewMs);
      if (view.isOutdated() || view.needsRepair()) {
        continue;
      }
      if (view.isDisabled()) {
        return disabled(leg);
      }
      if (!view.fits(leg.amounts())) {
        if (legs.size() > 1) {
          return refusalOfAll(legs);
        }
        Rejection rejection = view.reject(leg.amounts());
        remember(snapshot, leg, nowMs, rejection);
        return rejection;
      }
    }
    return null;
  }

  private static void remember(
      BucketSnapshot snapshot, Leg leg, long nowMs, @Nullable Rejection rejection) {
    leg.bucket().lastAnswer(new MirroredBucket.MemoryAnswer(snapshot, leg, nowMs, rejection));
  }

  private static DisabledBucket disabled(Leg leg) {
    return new DisabledBucket(leg.key().entityId(), leg.key().resource());
  }

  /** The refusal of a bucket that is divided, when all of its shards were seen just now. */
  private @Nullable Refusal refusalOfShards(Leg leg, List<Leg> legs) {
    BucketView whole = whole(leg.bucket(), leg.terms(), /* trusted= */ true);
    if (whole == null || whole.ahead() != null || whole.needsRepair()) {
      return null;
    }
    if (whole.isDisabled()) {
      return disabled(leg);
    }
    if (whole.fits(leg.amounts())) {
      return null;
    }
    return legs.size() == 1 ? whole.reject(leg.amounts()) : refusalOfAll(legs);
  }

  /**
   * All shards of a bucket as they were last seen, or null when one of them was not.
   *
   * @param trusted whether each must have been seen just now
   */
  @Nullable BucketView whole(MirroredBucket first, EffectiveLimits terms, boolean trusted) {
    List<BucketState> states = new ArrayList<>();
    return collect(first, trusted, states)
        ? BucketView.ofShards(states, terms, nowMs(states), maxSkewMs)
        : null;
  }

  /** The time of a bucket that is divided: that of the shard whose writers' clocks are fastest. */
  private long nowMs(List<BucketState> shards) {
    long nowMs = clock.nowMs();
    for (BucketState shard : shards) {
      MirroredBucket known = mirror.known(shard.key());
      nowMs = known == null ? nowMs : Math.max(nowMs, known.nowMs());
    }
    return nowMs;
  }

  /** Adds a shard and all that were split off it. */
  private boolean collect(
      @Nullable MirroredBucket shard, boolean trusted, List<BucketState> states) {
    BucketSnapshot snapshot = shard == null ? null : shard.snapshot();
    if (shard == null || snapshot == null || (trusted && !snapshot.isTrusted(shard.nowMs()))) {
      return false;
    }
    BucketState state = snapshot.state();
    states.add(state);
    int own = state.key().shard();
    int level = state.division().level();
    for (int bit = own == 0 ? 1 : 2 * Integer.highestOneBit(own); bit < level; bit *= 2) {
      if (!collect(mirror.known(state.key().withShard(own + bit)), trusted, states)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A refusal lists every leg, so every one must have been seen. One that was seen long ago is told
   * as it must be by now if nobody else wrote it: then the time to wait suffices.
   */
  private @Nullable Refusal refusalOfAll(List<Leg> legs) {
    List<LimitStatus> statuses = new ArrayList<>();
    for (Leg leg : legs) {
      BucketSnapshot snapshot = leg.bucket().snapshot();
      if (snapshot == null) {
        return null;
      }
      if (!snapshot.state().division().isWhole()) {
        BucketView whole = whole(leg.bucket(), leg.terms(), /* trusted= */ false);
        if (whole == null) {
          return null;
        }
        statuses.addAll(
            whole.ahead() == null
                ? whole.statuses(leg.amounts())
                : whole.statusesIfAdmitted(leg.amounts()));
        continue;
      }
      BucketView view =
          BucketView.of(snapshot.state(), leg.terms(), leg.bucket().nowMs(), maxSkewMs);
      statuses.addAll(
          view.isOutdated()
              ? view.statusesIfAdmitted(leg.amounts())
              : view.statuses(leg.amounts()));
    }
    return statuses.stream().anyMatch(LimitStatus::exceeded) ? new Rejection(statuses) : null;
  }

  /**
   * The shards of those legs of a request that are divided, or that nobody asked and were never
   * seen, each by its first, so that its refusal can tell of all of them. Those that were not seen
   * as a whole are read; what the store does not tell is left out.
   */
  public CompletableFuture<Map<BucketKey, List<BucketState>>> complete(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends) {
    return complete(runner, prepared.legs(), ends, 0, new HashMap<>());
  }

  private CompletableFuture<Map<BucketKey, List<BucketState>>> complete(
      OperationRunner runner,
      List<Leg> legs,
      LegOutcomes ends,
      int from,
      Map<BucketKey, List<BucketState>> seen) {
    for (int i = from; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      MirroredBucket first = first(leg);
      boolean unknown =
          first.snapshot() == null && ends.outcomes().get(i) instanceof Outcome.Skipped;
      if (!(unknown || isDivided(first, leg)) || seen.containsKey(first.key())) {
        continue;
      }
      List<BucketState> states = new ArrayList<>();
      if (collect(first, /* trusted= */ false, states)) {
        seen.put(first.key(), states);
        continue;
      }
      int next = i + 1;
      return runner
          .run(ShardReadProtocol.start(leg.key(), first.shards().count()))
          .thenCompose(
              read -> {
                read.shards()
                    .forEach(shard -> mirror.saw(BucketSnapshot.of(shard, read.readAtMs())));
                if (!read.shards().isEmpty()) {
                  seen.put(first.key(), read.shards());
                }
                return complete(runner, legs, ends, next, seen);
              });
    }
    return CompletableFuture.completedFuture(seen);
  }

  /**
   * The refusal of a request of which some legs were refused and the others given back.
   *
   * @param shards those of the buckets that are divided, by their first
   */
  public Rejection rejection(
      ResolvedRequest prepared, LegOutcomes ends, Map<BucketKey, List<BucketState>> shards) {
    List<LimitStatus> statuses = new ArrayList<>();
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = whole(prepared.legs(), i);
      Outcome outcome = ends.outcomes().get(i);
      if (i > 0 && leg.key().isShardOf(prepared.legs().get(i - 1).key())) {
        continue; // another part of the same bucket
      }
      List<BucketState> seen = shards.get(leg.key().withShard(0));
      statuses.addAll(
          seen == null
              ? statuses(leg, outcome, leg.bucket().nowMs())
              : statusesOfShards(seen, leg, outcome, nowMs(seen)));
    }
    return new Rejection(statuses);
  }

  /** The leg at {@code from} with those after it that are parts of the same bucket. */
  private static Leg whole(List<Leg> legs, int from) {
    Leg leg = legs.get(from);
    long[] milli = new long[leg.terms().limits().size()];
    int to = from;
    while (to < legs.size() && legs.get(to).key().isShardOf(leg.key())) {
      for (int i = 0; i < milli.length; i++) {
        milli[i] += legs.get(to).amounts().milli(i);
      }
      to++;
    }
    return to == from + 1
        ? leg
        : leg.part(leg.bucket(), Amounts.ofMilli(leg.terms().limits(), milli));
  }

  /** The leg's own knows what it saw, also when it was forgotten meanwhile. */
  private MirroredBucket first(Leg leg) {
    return leg.key().shard() == 0 ? leg.bucket() : mirror.bucket(leg.key().withShard(0));
  }

  private static boolean isDivided(MirroredBucket first, Leg leg) {
    BucketSnapshot snapshot = first.snapshot();
    return leg.key().shard() != 0 || (snapshot != null && !snapshot.state().division().isWhole());
  }

  private List<LimitStatus> statuses(Leg leg, @Nullable Outcome outcome, long nowMs) {
    BucketSnapshot snapshot = leg.bucket().snapshot();
    BucketState state =
        snapshot == null
            ? BucketState.full(leg.key().withShard(0), leg.terms().limits(), nowMs)
            : snapshot.state();
    BucketView now = BucketView.of(state, leg.terms(), nowMs, maxSkewMs);
    if (outcome instanceof Outcome.Skipped) {
      return now.statuses(leg.amounts()); // nobody asked: what it would meet
    }
    return outcome instanceof Outcome.Rejected rejected
        ? stillRefused(now.statuses(leg.amounts()), rejected.rejection().statuses(), 1)
        : now.statusesIfAdmitted(leg.amounts());
  }

  private List<LimitStatus> statusesOfShards(
      List<BucketState> shards, Leg leg, @Nullable Outcome outcome, long nowMs) {
    BucketView whole = BucketView.ofShards(shards, leg.terms(), nowMs, maxSkewMs);
    if (outcome instanceof Outcome.Skipped) {
      return whole.statuses(leg.amounts()); // nobody asked: what it would meet
    }
    if (!(outcome instanceof Outcome.Rejected rejected)) {
      return whole.statusesIfAdmitted(leg.amounts());
    }
    return stillRefused(
        whole.statuses(leg.amounts()),
        rejected.rejection().statuses(),
        gatheredAfterMs(whole, leg.amounts()));
  }

  /**
   * When what all shards together hold can be had: as soon as one of them holds it, and at once
   * when that takes too long to wait for and it may be taken from several.
   */
  private long gatheredAfterMs(BucketView whole, Amounts amounts) {
    long oneFitsMs = whole.untilOneFitsMs(amounts);
    boolean wide = options.sharding().widePerSecond() > 0;
    return oneFitsMs == LimitStatus.NEVER || (wide && oneFitsMs > mirror.plan().grainMs())
        ? 1
        : Math.max(1, oneFitsMs);
  }

  /**
   * Giving the other legs back has taken a round trip, so the time to wait is told as of now. When
   * the tokens have come meanwhile, the request was refused all the same: it may come again at
   * once, or when one shard holds them.
   */
  private static List<LimitStatus> stillRefused(
      List<LimitStatus> now, List<LimitStatus> then, long againMs) {
    return now.stream().anyMatch(LimitStatus::exceeded)
        ? now
        : then.stream()
            .map(status -> status.exceeded() ? status.retryingAfter(againMs) : status)
            .toList();
  }

  /** The soft limits that a granted request found short. */
  public List<LimitStatus> overdrawn(ResolvedRequest prepared) {
    List<LimitStatus> overdrawn = List.of();
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      BucketSnapshot snapshot = leg.terms().limits().hasSoft() ? leg.bucket().snapshot() : null;
      // One shard may be short where the bucket is not: only an undivided one can tell.
      if (snapshot != null && snapshot.state().division().isWhole()) {
        BucketView after =
            BucketView.of(snapshot.state(), leg.terms(), leg.bucket().nowMs(), maxSkewMs);
        after.settle(leg.amounts().negated());
        for (LimitStatus status : after.statuses(leg.amounts())) {
          if (status.overdrawn()) {
            overdrawn = overdrawn.isEmpty() ? new ArrayList<>() : overdrawn;
            overdrawn.add(status);
          }
        }
      }
    }
    return overdrawn;
  }

  /**
   * What a request would meet.
   *
   * @param statuses every limit of every leg
   * @param ahead the buckets that follow a later configuration than the legs
   */
  public record Seen(List<LimitStatus> statuses, NewerConfig ahead) {}

  /** What a request would meet now, of every leg; one round trip as long as none is divided. */
  public Step<Seen> look(List<Leg> legs) {
    List<Long> askedAtMs = legs.stream().map(leg -> leg.bucket().nowMs()).toList();
    return Step.Ask.one(
        Mirror.read(legs.stream().map(Leg::key).toList()),
        (reply, nowMs) -> {
          List<@Nullable BucketState> states = new ArrayList<>(legs.size());
          for (int i = 0; i < legs.size(); i++) {
            MirroredBucket bucket = legs.get(i).bucket();
            BucketState state = Mirror.stateIn(reply, bucket.key());
            if (state != null) {
              bucket.clock().saw(state.refilledAtMs());
              bucket.sawAside(BucketSnapshot.of(state, bucket.nowMs()), askedAtMs.get(i));
            }
            states.add(state);
          }
          return look(legs, states, 0, new ArrayList<>(), nowMs);
        });
  }

  private Step<Seen> look(
      List<Leg> legs,
      List<@Nullable BucketState> states,
      int from,
      List<LimitStatus> statuses,
      long nowMs) {
    for (int i = from; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      BucketState state = states.get(i);
      if (state != null && !state.division().isWhole()) {
        int next = i + 1;
        return Step.then(
            ShardReadProtocol.start(leg.key(), state.division().level()),
            read -> {
              if (read.failure() != null) {
                throw StoreErrors.unavailable(leg.key(), read.failure(), /* mayBeCharged= */ false);
              }
              statuses.addAll(statuses(leg, read));
              return look(legs, states, next, statuses, read.readAtMs());
            });
      }
      BucketState seen =
          state == null ? BucketState.full(leg.key(), leg.terms().limits(), nowMs) : state;
      statuses.addAll(
          BucketView.of(seen, leg.terms(), Math.max(nowMs, leg.bucket().nowMs()), maxSkewMs)
              .statuses(leg.amounts()));
    }
    return new Step.Done<>(new Seen(statuses, NewerConfig.of(legs)));
  }

  private List<LimitStatus> statuses(Leg leg, ShardReadProtocol.Result read) {
    long nowMs = read.readAtMs();
    List<BucketState> shards =
        read.shards().isEmpty()
            ? List.of(BucketState.full(leg.key(), leg.terms().limits(), nowMs))
            : read.shards();
    read.shards().forEach(shard -> mirror.saw(BucketSnapshot.of(shard, nowMs)));
    return BucketView.ofShards(shards, leg.terms(), nowMs, maxSkewMs).statuses(leg.amounts());
  }

  /**
   * What is known without asking: the statuses that a request would meet after all those {@code
   * ahead} of it, or null when a bucket was not seen lately or follows other limits by now.
   */
  public @Nullable List<LimitStatus> peek(ResolvedRequest prepared, AmountsAhead ahead) {
    List<LimitStatus> statuses = new ArrayList<>();
    for (Leg leg : prepared.legs()) {
      BucketView view = after(leg, ahead);
      if (view == null) {
        return null;
      }
      List<LimitStatus> ofLeg = view.statuses(leg.amounts());
      if (!isTrusted(leg) && (statuses.isEmpty() || isExceeded(ofLeg))) {
        return null; // of what was seen long ago no refusal follows
      }
      statuses.addAll(ofLeg);
    }
    return statuses;
  }

  private static boolean isExceeded(List<LimitStatus> statuses) {
    return statuses.stream().anyMatch(LimitStatus::exceeded);
  }

  /** The bucket of a leg as it must be after {@code ahead}, null when that cannot be told. */
  private @Nullable BucketView after(Leg leg, AmountsAhead ahead) {
    MirroredBucket bucket = mirror.known(leg.key());
    BucketSnapshot snapshot = bucket == null ? null : bucket.snapshot();
    if (bucket == null
        || snapshot == null
        || !snapshot.state().division().isWhole()) { // of one shard of several nothing follows
      return null;
    }
    BucketView view = BucketView.of(snapshot.state(), leg.terms(), bucket.nowMs(), maxSkewMs);
    if (view.isOutdated()) {
      return null;
    }
    Amounts others = ahead.of(leg);
    if (others != null) {
      view.settle(others);
    }
    return view;
  }

  /** Whether all buckets of a request were seen just now. */
  public boolean isTrusted(ResolvedRequest prepared) {
    return prepared.legs().stream().allMatch(this::isTrusted);
  }

  private boolean isTrusted(Leg leg) {
    MirroredBucket bucket = mirror.known(leg.key());
    BucketSnapshot snapshot = bucket == null ? null : bucket.snapshot();
    return bucket != null && snapshot != null && snapshot.isTrusted(bucket.nowMs());
  }

  /** As the time until a request fits: only the store can tell. */
  public static final long UNKNOWN = -1;

  /**
   * How long until a request is expected to fit after all those {@code ahead} of it, by what was
   * last seen of its buckets: 0 for now, {@link #UNKNOWN} when that does not tell.
   */
  public long untilFitsMs(ResolvedRequest prepared, AmountsAhead ahead) {
    if (prepared.prefetch() || prepared.isOff()) {
      return UNKNOWN;
    }
    long longestMs = 0;
    for (Leg leg : prepared.legs()) {
      long legMs = untilFitsMs(leg, ahead);
      if (legMs == UNKNOWN) {
        return UNKNOWN;
      }
      longestMs = Math.max(longestMs, legMs);
    }
    return longestMs;
  }

  private long untilFitsMs(Leg leg, AmountsAhead ahead) {
    MirroredBucket first = mirror.known(leg.key());
    if (first != null && first.isDivided()) {
      return untilShardsFitMs(first, leg, ahead.of(leg));
    }
    BucketView view = after(leg, ahead);
    if (view == null || view.needsRepair() || view.isDisabled()) {
      return UNKNOWN;
    }
    return view.fits(leg.amounts()) ? 0 : view.reject(leg.amounts()).retryAfterMs();
  }

  /** The same for a bucket that is divided, as far as all shards together can tell. */
  private long untilShardsFitMs(MirroredBucket first, Leg leg, @Nullable Amounts others) {
    BucketView whole = whole(first, leg.terms(), /* trusted= */ false);
    if (whole == null || whole.ahead() != null || whole.isDisabled() || whole.needsRepair()) {
      return UNKNOWN;
    }
    long[] milli = new long[leg.terms().limits().size()];
    for (int i = 0; i < milli.length; i++) {
      boolean named = leg.amounts().isNamed(i);
      milli[i] = named ? leg.amounts().milli(i) + (others == null ? 0 : others.milli(i)) : 0;
    }
    Amounts together = Amounts.ofMilli(leg.terms().limits(), milli);
    if (whole.fits(together)) {
      return 0;
    }
    return whole.fits(leg.amounts()) ? 1 : whole.reject(leg.amounts()).retryAfterMs();
  }
}
