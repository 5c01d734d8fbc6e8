package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.ShardBooks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several processes that acquire, settle, split, merge, resize and refresh one bucket, one call at
 * a time in any order, while calls collide and answers are lost. It keeps the books of what was
 * admitted.
 */
final class ShardTraffic {
  /** Most calls of one run: a conversation that does not end is a bug. */
  private static final int MAX_CALLS = 20_000;

  private static final int MAX_SHARDS = 16;

  private final Gen gen;
  private final boolean changesLimits;
  private final PureTable table = new PureTable();
  private final List<Client> clients = new ArrayList<>();
  private final Supplier<String> ops = CommitCase.ops();
  private final List<BucketState> begin;
  private EffectiveLimits terms;
  private long nowMs = T;

  /** Least and most that can be counted as consumed, by limit. */
  private final long[][] booksMilli = new long[2][2];

  /** How many conversations ended how. */
  final Map<String, Integer> endings = new HashMap<>();

  ShardTraffic(Gen gen, boolean changesLimits) {
    this.gen = gen;
    this.changesLimits = changesLimits;
    this.terms = terms(gen, 1);
    BucketState full = BucketState.full(KEY, terms, T);
    table.put(full);
    begin = List.of(full);
    for (int i = 0; i < 3; i++) {
      clients.add(new Client());
    }
  }

  private static EffectiveLimits terms(Gen gen, long version) {
    long perMinute = gen.pick(6L, 60L, 600L, 6_000L);
    Limit hard = Limit.perMinute("rpm", perMinute).withBurst(perMinute + gen.between(0, 60));
    Limit soft = Limit.perMinute("tpm", gen.pick(60L, 600L)).asSoft();
    return new EffectiveLimits(
        LimitSet.of(hard, soft),
        new ConfigStamp(
            ConfigLevel.ENTITY_RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, version), false));
  }

  /** Runs {@code conversations} to their end and checks the shards after every call. */
  void run(int conversations) {
    int begun = 0;
    for (int calls = 0; calls < MAX_CALLS; calls++) {
      Client client = gen.pick(clients);
      nowMs += gen.oneIn(3) ? 0 : gen.scaled(300);
      if (client.step == null) {
        if (begun == conversations) {
          if (clients.stream().allMatch(other -> other.step == null)) {
            checkBooks();
            return;
          }
          continue;
        }
        begun++;
        client.begin();
      }
      client.advance();
      checkShards();
    }
    throw new AssertionError("conversations did not end");
  }

  private final class Client {
    private final Map<BucketKey, BucketSnapshot> mirror = new HashMap<>();
    private EffectiveLimits known = terms;
    private int count = 1;
    private @Nullable Step<Runnable> step;

    void begin() {
      if (changesLimits && gen.oneIn(15)) {
        terms = terms(gen, terms.stamp().versions().system() + 1);
      }
      BucketKey drawn =
          KEY.withShard((int) gen.between(0, (gen.oneIn(4) ? MAX_SHARDS : count) - 1));
      step =
          switch ((int) gen.between(0, 9)) {
            case 0, 1, 2 -> reshape(drawn);
            case 3 -> resize();
            case 4 -> refresh(drawn);
            case 5, 6 -> wide();
            default -> commit(drawn);
          };
    }

    void advance() {
      if (step instanceof Step.Ask<Runnable> ask) {
        step = ask.next().resume(ask.calls().stream().map(call -> answer(call)).toList(), nowMs);
      }
      if (step instanceof Step.Done<Runnable> done) {
        step = null;
        done.result().run();
      }
    }

    private Step<Runnable> reshape(BucketKey drawn) {
      return Step.map(
          new SplitMergeProtocol(drawn, PlanSettings.DEFAULT, ops).start(),
          result ->
              () -> {
                ended("reshape " + result.kind());
                count = result.count() == 0 ? count : result.count();
                result.seen().forEach(state -> saw(BucketSnapshot.of(state, nowMs)));
              });
    }

    private Step<Runnable> resize() {
      int next = gen.pick(1, 2, 4, 8, MAX_SHARDS);
      return Step.map(
          SplitMergeProtocol.changeCount(KEY, count, next, ops),
          result ->
              () -> {
                ended("resize " + result.changed());
                BucketState state = result.state();
                count = state == null ? count : state.shardCount();
              });
    }

    private Step<Runnable> refresh(BucketKey drawn) {
      known = terms;
      ApplyConfigProtocol refresh =
          new ApplyConfigProtocol(drawn, known, PlanSettings.DEFAULT, ops);
      return Step.map(
          refresh.start(null, nowMs), result -> () -> ended("refresh " + result.kind()));
    }

    private Step<Runnable> wide() {
      Amounts amounts = amounts(gen.between(0, 80), gen.between(0, 50));
      MultiShardProtocol commit =
          new MultiShardProtocol(KEY, known, amounts, gen.oneIn(2), 4, PlanSettings.DEFAULT, ops);
      return Step.map(
          commit.start(count),
          result ->
              () -> {
                ended("wide " + result.outcome().getClass().getSimpleName());
                result.seen().forEach(this::saw);
                booked(result.outcome(), amounts, /* again= */ 0);
              });
    }

    private Step<Runnable> commit(BucketKey drawn) {
      List<BucketDemand> demands = new ArrayList<>();
      for (long i = gen.between(1, 3); i > 0; i--) {
        demands.add(
            gen.oneIn(3)
                ? BucketDemand.settle(amounts(0, gen.between(1, 50)))
                : BucketDemand.acquire(amounts(gen.between(0, 30), gen.between(0, 50))));
      }
      CommitProtocol commit =
          new CommitProtocol(drawn, known, gen.oneIn(2), demands, PlanSettings.DEFAULT, ops);
      return Step.map(
          commit.start(mirror.get(drawn), nowMs),
          result -> () -> committed(drawn, demands, result));
    }

    private void committed(BucketKey drawn, List<BucketDemand> demands, CommitResult result) {
      mirror.remove(drawn);
      BucketSnapshot snapshot = result.snapshot();
      if (snapshot != null) {
        saw(snapshot);
      }
      for (int i = 0; i < demands.size(); i++) {
        Outcome outcome = result.outcomes().get(i);
        ended("commit " + outcome.getClass().getSimpleName());
        boolean settles = demands.get(i).kind() == BucketDemand.Kind.SETTLE;
        booked(outcome, demands.get(i).amounts(), settles ? result.trace().unknownOutcomes() : 0);
      }
    }

    private void booked(Outcome outcome, Amounts amounts, int again) {
      boolean charged = outcome instanceof Outcome.Admitted || outcome instanceof Outcome.Settled;
      boolean maybe =
          outcome instanceof Outcome.Unavailable unavailable && unavailable.mayBeCharged();
      for (int i = 0; i < 2; i++) {
        booksMilli[i][0] += charged ? amounts.milli(i) : 0;
        booksMilli[i][1] += charged || maybe ? (1 + again) * amounts.milli(i) : 0;
      }
      if (outcome instanceof Outcome.Outdated) {
        known = terms;
      }
    }

    private Amounts amounts(long rpm, long tpm) {
      return Amounts.ofMilli(known.limits(), new long[] {rpm * Limit.MILLI, tpm * Limit.MILLI});
    }

    private void saw(BucketSnapshot snapshot) {
      mirror.merge(
          snapshot.state().key(),
          snapshot,
          (a, b) -> BucketSnapshot.later(a, b, PlanSettings.DEFAULT.maxSkewMs()));
    }
  }

  private StoreReply answer(StoreCall call) {
    if (call.writes() && gen.oneIn(12)) {
      return new StoreReply.NotApplied(Script.CONFLICT, Receipt.NONE);
    }
    if (gen.oneIn(40)) {
      return new StoreReply.NotApplied(Script.SLOW_DOWN, Receipt.NONE);
    }
    if (gen.oneIn(15)) {
      if (gen.oneIn(2)) {
        table.execute(call);
      }
      return new StoreReply.Unknown(Script.LOST, Receipt.NONE);
    }
    return table.execute(call);
  }

  private void ended(String how) {
    endings.merge(how, 1, Integer::sum);
  }

  /**
   * Every millitoken is held once, only soft limits are settled here, so nothing may take a hard
   * one below zero, and without other limits nobody makes anything.
   */
  private void checkShards() {
    List<BucketState> shards = table.shards(KEY);
    ShardBooks.checkPartition(shards);
    for (BucketState shard : shards) {
      if (limit(shard, "rpm").tokensMilli() < 0) {
        throw new AssertionError("below zero: " + shard);
      }
    }
    if (!changesLimits) {
      ShardBooks.checkEstate(begin, shards, /* mayClip= */ true, nowMs);
    }
  }

  private void checkBooks() {
    List<BucketState> shards = table.shards(KEY);
    for (int i = 0; i < 2; i++) {
      String name = terms.limits().get(i).name();
      assertThat(ShardBooks.consumedMilli(shards, name))
          .as(name)
          .isBetween(booksMilli[i][0], booksMilli[i][1]);
    }
  }

  private static LimitState limit(BucketState state, String name) {
    return Objects.requireNonNull(state.find(name));
  }
}
