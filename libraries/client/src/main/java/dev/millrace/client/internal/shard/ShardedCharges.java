package dev.millrace.client.internal.shard;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.mirror.ShardingState;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.client.internal.write.GroupCommit;
import dev.millrace.client.internal.write.LegOutcomes;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.MultiShardProtocol;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Brings legs into buckets that are divided. Each leg draws a shard; one that is refused there
 * draws up to two others, and as the last resort takes from several at once, if all shards together
 * may hold enough. A shard that is not there is looked for; one that the store throttles is left to
 * others.
 */
public final class ShardedCharges {
  /** Most shards that a leg draws on, one after another. */
  private static final int MAX_DRAWS = 3;

  /** Most times that legs are written: also where shards have gone meanwhile. */
  private static final int MAX_ROUNDS = 6;

  private static final Outcome CONTENDED =
      GroupCommit.failed(StoreFailure.Kind.CONTENDED, /* mayBeCharged= */ false, null);

  private final LimiterOptions options;
  private final Mirror mirror;
  private final ShardPicker drawing;
  private final BucketForecast views;
  private final LimiterEvents events;
  private final WriteIds ops;

  public ShardedCharges(
      LimiterOptions options,
      Mirror mirror,
      ShardPicker drawing,
      BucketForecast views,
      LimiterEvents events,
      WriteIds ops) {
    this.options = options;
    this.mirror = mirror;
    this.drawing = drawing;
    this.views = views;
    this.events = events;
    this.ops = ops;
  }

  private enum Stage {
    /** It is to draw a shard. */
    DRAWS,
    /** It has a shard, and is to be written. */
    DRAWN,
    /** It is to be taken from several shards. */
    WIDE,
    /** It is decided. */
    ENDED
  }

  /** One leg on its way. */
  private static final class Draw {
    final Leg base;
    final long untilMs;
    final Set<Integer> tried = new HashSet<>();
    Stage stage = Stage.DRAWS;
    Leg drawn;

    /** The last answer; what a leg that nobody asked is answered until then. */
    Outcome outcome = Outcome.SKIPPED;

    /** What a shard that was short has said, null when none has. */
    Outcome.@Nullable Rejected shortage;

    /** What is charged when it is admitted. */
    List<Leg> charged;

    Draw(Leg base, long untilMs) {
      this.base = base;
      this.untilMs = untilMs;
      this.drawn = base;
      this.charged = List.of(base);
    }

    void ends(Outcome end) {
      outcome = end;
      stage = Stage.ENDED;
    }

    boolean isRefused() {
      return stage == Stage.ENDED && !(outcome instanceof Outcome.Admitted);
    }
  }

  /**
   * How the legs ended.
   *
   * @param prepared the request with its legs as they were drawn; one that was taken from several
   *     shards is several of them
   * @param ends one for each of those
   */
  public record Result(ResolvedRequest prepared, LegOutcomes ends) {}

  /** Brings all legs in. */
  public CompletableFuture<Result> commit(OperationRunner runner, ResolvedRequest prepared) {
    List<Draw> draws = new ArrayList<>(prepared.legs().size());
    long untilMs = drawing.untilMs();
    for (Leg leg : prepared.legs()) {
      draws.add(new Draw(leg, untilMs));
    }
    return round(runner, draws, 1).handle((ignored, broken) -> result(prepared, draws, broken));
  }

  private static Result result(
      ResolvedRequest prepared, List<Draw> draws, @Nullable Throwable broken) {
    List<Leg> legs = new ArrayList<>(draws.size());
    List<@Nullable Outcome> outcomes = new ArrayList<>(draws.size());
    for (Draw draw : draws) {
      for (Leg leg : draw.charged) {
        legs.add(leg);
        outcomes.add(draw.outcome);
      }
    }
    return new Result(
        prepared.withLegs(legs),
        new LegOutcomes(outcomes, broken == null ? null : Throwables.unwrapped(broken)));
  }

  private CompletableFuture<Void> round(OperationRunner runner, List<Draw> draws, int round) {
    return drawAll(runner, draws, 0)
        .thenCompose(
            ignored -> {
              List<Draw> drawn = draws.stream().filter(d -> d.stage == Stage.DRAWN).toList();
              return drawn.isEmpty() ? wide(runner, draws, 0) : write(runner, draws, drawn, round);
            });
  }

  private CompletableFuture<Void> drawAll(OperationRunner runner, List<Draw> draws, int from) {
    for (int i = from; i < draws.size(); i++) {
      Draw draw = draws.get(i);
      if (draw.stage == Stage.DRAWS) {
        int next = i + 1;
        return drawing
            .draw(runner, draw.base, draw.tried, draw.untilMs)
            .thenCompose(
                leg -> {
                  if (leg != null) {
                    draw.stage = Stage.DRAWN;
                    draw.drawn = leg;
                  } else if (isInTheWay(draw.outcome)) {
                    draw.ends(keptFrom(draw));
                  } else {
                    draw.stage = Stage.WIDE;
                  }
                  return drawAll(runner, draws, next);
                });
      }
    }
    return done();
  }

  private CompletableFuture<Void> write(
      OperationRunner runner, List<Draw> draws, List<Draw> drawn, int round) {
    List<BucketOperation> orders = new ArrayList<>(drawn.size());
    drawn.forEach(draw -> orders.add(BucketOperation.acquire(draw.drawn)));
    return LegOutcomes.of(runner.commitAll(orders))
        .thenCompose(
            ends -> {
              List<Draw> gone = new ArrayList<>(0);
              for (int i = 0; i < drawn.size(); i++) {
                Outcome outcome = ends.outcomes().get(i);
                Draw draw = drawn.get(i);
                draw.charged = List.of(draw.drawn);
                if (outcome instanceof Outcome.Gone && round < MAX_ROUNDS) {
                  gone.add(draw);
                } else if (outcome == null) {
                  draw.ends(Outcome.SKIPPED);
                } else {
                  written(draw, outcome, round);
                }
              }
              if (ends.broken() != null) {
                return CompletableFuture.failedFuture(ends.broken());
              }
              return draws.stream().anyMatch(Draw::isRefused)
                  ? done() // the others need not be asked
                  : findAgain(runner, gone, 0).thenCompose(x -> round(runner, draws, round + 1));
            });
  }

  private void written(Draw draw, Outcome outcome, int round) {
    draw.outcome = outcome;
    boolean isShort = outcome instanceof Outcome.Rejected;
    boolean again = isShort || isInTheWay(outcome);
    if (outcome instanceof Outcome.Rejected rejected) {
      draw.shortage = rejected;
    }
    if (outcome instanceof Outcome.Gone) {
      draw.ends(CONTENDED);
    } else if (!again || !draw.base.bucket().isDivided()) {
      draw.ends(outcome);
    } else {
      draw.tried.add(draw.drawn.key().shard());
      boolean inTime = options.time().elapsedMs() < draw.untilMs;
      if (draw.tried.size() < MAX_DRAWS && round < MAX_ROUNDS && inTime) {
        draw.stage = Stage.DRAWS;
      } else if (isShort) {
        draw.stage = Stage.WIDE;
      } else {
        draw.ends(keptFrom(draw));
      }
    }
  }

  /** Whether a shard was not written because of what others write. */
  private static boolean isInTheWay(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable unavailable
        && unavailable.failure().isInTheWay()
        && !unavailable.mayBeCharged();
  }

  /** Whether others were faster every time. */
  private static boolean isContended(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable unavailable
        && unavailable.failure().kind() == StoreFailure.Kind.CONTENDED
        && !unavailable.mayBeCharged();
  }

  private CompletableFuture<Void> findAgain(OperationRunner runner, List<Draw> gone, int from) {
    if (from == gone.size()) {
      return done();
    }
    Draw draw = gone.get(from);
    return drawing
        .findAgain(runner, draw.base, draw.drawn)
        .thenCompose(
            leg -> {
              draw.drawn = leg;
              return findAgain(runner, gone, from + 1);
            });
  }

  private CompletableFuture<Void> wide(OperationRunner runner, List<Draw> draws, int from) {
    for (int i = from; i < draws.size(); i++) {
      Draw draw = draws.get(i);
      if (draw.stage == Stage.WIDE) {
        int next = i + 1;
        return wide(runner, draw)
            .thenCompose(x -> draw.isRefused() ? done() : wide(runner, draws, next));
      }
    }
    return done();
  }

  private CompletableFuture<Void> wide(OperationRunner runner, Draw draw) {
    Leg leg = draw.base;
    ShardingState shards = leg.bucket().shards();
    Outcome known = known(draw);
    if (known != null) {
      draw.ends(known);
      return done();
    }
    int perSecond = options.sharding().widePerSecond();
    if (!shards.mayGoWide(perSecond, options.time().elapsedMs())) {
      draw.ends(narrowly(draw));
      return done();
    }
    MultiShardProtocol commit =
        new MultiShardProtocol(
            leg.key(),
            leg.terms(),
            leg.amounts(),
            leg.mayCreate(),
            options.sharding().wideShards(),
            mirror.plan(),
            ops);
    return runner
        .run(commit.start(shards.count()))
        .thenCompose(result -> took(runner, draw, result));
  }

  private CompletableFuture<Void> took(
      OperationRunner runner, Draw draw, MultiShardProtocol.Result result) {
    result.seen().forEach(snapshot -> mirror.saw(snapshot));
    BucketKey key = draw.base.key();
    if (result.outcome() instanceof Outcome.Gone) {
      // There is no bucket at all: it is made as any other.
      return runner.commit(BucketOperation.acquire(draw.base)).thenAccept(draw::ends);
    }
    if (result.outcome() instanceof Outcome.Admitted && !result.taken().isEmpty()) {
      draw.charged =
          result.taken().stream()
              .map(part -> draw.base.part(mirror.bucket(part.key()), part.amounts()))
              .toList();
      events.takenFromShards(key, result.taken().size());
    } else if (result.leftElsewhere()) {
      events.leftElsewhere(key);
    }
    boolean met = isInTheWay(result.outcome()) || isContended(result.outcome());
    draw.base.bucket().shards().wentWide(met, options.time().elapsedMs());
    draw.ends(met ? narrowly(draw) : result.outcome());
    return done();
  }

  /**
   * The refusal of a leg by what was seen of all shards just now, or null. In a bucket that is
   * asked for more than there is, every shard holds a piece of a token most of the time: to gather
   * these would cost many times what they are worth, so what a single shard will hold within the
   * grain is refused.
   */
  private @Nullable Outcome known(Draw draw) {
    Amounts amounts = draw.base.amounts();
    BucketView whole = views.whole(draw.base.bucket(), draw.base.terms(), /* trusted= */ true);
    if (whole == null || whole.ahead() != null || whole.isDisabled() || whole.needsRepair()) {
      return null;
    }
    if (!whole.fits(amounts)) {
      return new Outcome.Rejected(whole.reject(amounts));
    }
    long afterMs = whole.untilOneFitsMs(amounts);
    if (afterMs == 0 || afterMs > mirror.plan().grainMs()) {
      return null; // one that holds it now was not drawn: it is to be merged, or was changed since
    }
    events.leftElsewhere(draw.base.key());
    return new Outcome.Rejected(whole.rejectWithin(amounts, 1).retryingAfter(Math.max(1, afterMs)));
  }

  /** The refusal of a leg that may not be taken from several shards now. */
  private Outcome narrowly(Draw draw) {
    BucketView whole = views.whole(draw.base.bucket(), draw.base.terms(), /* trusted= */ false);
    if (whole == null) {
      return draw.shortage == null ? CONTENDED : draw.shortage;
    }
    if (!whole.fits(draw.base.amounts())) {
      return new Outcome.Rejected(whole.reject(draw.base.amounts()));
    }
    events.leftElsewhere(draw.base.key());
    return draw.shortage == null
        ? new Outcome.Rejected(whole.rejectWithin(draw.base.amounts(), 1))
        : draw.shortage;
  }

  /**
   * The end of a leg that others kept from writing a shard, to the last. It is refused when it is
   * short as well: a bucket that is asked for more than there is has always others in the way, and
   * must not look as if it could not be reached.
   */
  private Outcome keptFrom(Draw draw) {
    if (draw.shortage == null) {
      BucketView whole = views.whole(draw.base.bucket(), draw.base.terms(), /* trusted= */ false);
      if (whole == null || whole.fitsInOne(draw.base.amounts())) {
        return draw.outcome;
      }
    }
    return narrowly(draw);
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
