package dev.millrace.client.internal.shard;

import dev.millrace.LimiterOptions;
import dev.millrace.Rejection;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.client.internal.write.LegOutcomes;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult.Load;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.ShardReadProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.internal.protocol.TransactionProtocol;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Brings all legs of a request into their buckets in one transaction, where some of these are
 * divided. The first time each leg draws a shard. When one of those is short or not there, the
 * shards of all divided buckets are read and each leg takes from as few of them as suffice.
 */
public final class TransactionalCharges {
  /** Most transactions of one request; each but the last found that others had been faster. */
  private static final int MAX_ROUNDS = 4;

  private final LimiterOptions options;
  private final Mirror mirror;
  private final ShardPicker drawing;
  private final BucketForecast views;
  private final LimiterEvents events;
  private final WriteIds ops;
  private final StoreClock clock;

  public TransactionalCharges(
      LimiterOptions options,
      Mirror mirror,
      ShardPicker drawing,
      BucketForecast views,
      LimiterEvents events,
      WriteIds ops,
      StoreClock clock) {
    this.options = options;
    this.mirror = mirror;
    this.drawing = drawing;
    this.views = views;
    this.events = events;
    this.ops = ops;
    this.clock = clock;
  }

  /**
   * How it ended.
   *
   * @param prepared the request with its legs as they were drawn: the parts of the transaction
   */
  public record Result(ResolvedRequest prepared, TransactionProtocol.Result joint) {}

  /** Takes the legs in turn with those requests of this process that share the top bucket. */
  public CompletableFuture<Result> commit(OperationRunner runner, ResolvedRequest prepared) {
    MirroredBucket top = top(prepared);
    CompletableFuture<Void> turn = top.transactionQueue().enter();
    if (turn == null) {
      events.queueFull(top.key());
      return CompletableFuture.completedFuture(failed(prepared, StoreFailure.Kind.BUSY));
    }
    if (turn.isDone()) {
      return inTurn(runner, prepared, top);
    }
    return runner.after(
        turn,
        () -> {
          if (!turn.isDone() && top.transactionQueue().withdraw(turn)) {
            return CompletableFuture.completedFuture(failed(prepared, StoreFailure.Kind.TIMED_OUT));
          }
          return inTurn(runner, prepared, top);
        });
  }

  /** The bucket of the first resource that most others draw on too. */
  private static MirroredBucket top(ResolvedRequest prepared) {
    MirroredBucket top = prepared.first().bucket();
    for (Leg leg : prepared.legs()) {
      if (leg.key().resource().equals(prepared.key().resource())) {
        top = leg.bucket();
      }
    }
    return top;
  }

  private CompletableFuture<Result> inTurn(
      OperationRunner runner, ResolvedRequest prepared, MirroredBucket top) {
    CompletableFuture<Result> committed;
    try {
      committed = commitNow(runner, prepared);
    } catch (RuntimeException | Error broken) {
      top.transactionQueue().leave();
      throw broken;
    }
    return committed.whenComplete((result, failure) -> top.transactionQueue().leave());
  }

  private CompletableFuture<Result> commitNow(OperationRunner runner, ResolvedRequest prepared) {
    if (prepared.isUndivided(options.time().elapsedMs())) {
      return send(runner, prepared)
          .thenCompose(
              result ->
                  prepared.isUndivided(options.time().elapsedMs())
                      ? CompletableFuture.completedFuture(result)
                      : next(runner, prepared, result, 1)); // it is divided since
    }
    List<Leg> none = new ArrayList<>(prepared.legs().size());
    return draw(runner, prepared, 0, none, drawing.untilMs())
        .thenCompose(
            legs ->
                legs == null
                    ? informed(runner, prepared, 2)
                    : send(runner, prepared.withLegs(legs))
                        .thenCompose(result -> next(runner, prepared, result, 1)));
  }

  private CompletableFuture<Result> send(OperationRunner runner, ResolvedRequest drawn) {
    return runner
        .run(transaction(drawn))
        .thenApply(
            joint -> {
              if (joint.outcome() instanceof TransactionProtocol.Outcome.Unavailable unavailable) {
                drawn.legs().forEach(leg -> mirror.pressedBy(leg.key(), unavailable.failure()));
              }
              return new Result(drawn, joint);
            });
  }

  /** The conversation that brings all legs into their buckets in one transaction. */
  private Step<TransactionProtocol.Result> transaction(ResolvedRequest drawn) {
    List<TransactionProtocol.Part> parts = new ArrayList<>(drawn.legs().size());
    List<@Nullable BucketSnapshot> snapshots = new ArrayList<>(drawn.legs().size());
    Set<Integer> absent = new HashSet<>();
    long nowMs = clock.nowMs();
    for (Leg leg : drawn.legs()) {
      if (leg.bucket().isNone(nowMs)) {
        absent.add(parts.size());
      }
      parts.add(
          new TransactionProtocol.Part(leg.key(), leg.terms(), leg.amounts(), leg.mayCreate()));
      snapshots.add(leg.bucket().snapshot());
    }
    TransactionProtocol joint = new TransactionProtocol(parts, mirror.plan(), ops);
    return Step.map(
        joint.start(snapshots, absent, nowMs),
        result -> {
          for (int i = 0; i < drawn.legs().size(); i++) {
            mirror.saw(
                drawn.legs().get(i).bucket(),
                result.snapshots().get(i),
                result.traces().get(i),
                Load.NONE);
          }
          return result;
        });
  }

  /** The legs as they are drawn, null when one of them finds no shard that may give enough. */
  private CompletableFuture<@Nullable List<Leg>> draw(
      OperationRunner runner, ResolvedRequest prepared, int from, List<Leg> drawn, long untilMs) {
    if (from == prepared.legs().size()) {
      return CompletableFuture.completedFuture(drawn);
    }
    return drawing
        .draw(runner, prepared.legs().get(from), Set.of(), untilMs)
        .thenCompose(
            leg -> {
              if (leg == null) {
                return CompletableFuture.completedFuture(null);
              }
              drawn.add(leg);
              return draw(runner, prepared, from + 1, drawn, untilMs);
            });
  }

  private CompletableFuture<Result> next(
      OperationRunner runner, ResolvedRequest prepared, Result result, int round) {
    boolean again =
        result.joint().outcome() instanceof TransactionProtocol.Outcome.Gone
            || (result.joint().outcome() instanceof TransactionProtocol.Outcome.Rejected
                && prepared.legs().stream().anyMatch(leg -> leg.bucket().isDivided()));
    if (!again) {
      return CompletableFuture.completedFuture(result);
    }
    return round < MAX_ROUNDS
        ? informed(runner, prepared, round + 1)
        : CompletableFuture.completedFuture(failed(prepared, StoreFailure.Kind.CONTENDED));
  }

  private CompletableFuture<Result> informed(
      OperationRunner runner, ResolvedRequest prepared, int round) {
    return choose(runner, prepared, 0, new ArrayList<>(prepared.legs().size()))
        .thenCompose(
            choice -> {
              if (choice.refusal() != null) {
                return CompletableFuture.completedFuture(ended(prepared, choice.refusal()));
              }
              return send(runner, prepared.withLegs(choice.legs()))
                  .thenCompose(result -> next(runner, prepared, result, round));
            });
  }

  /**
   * What the legs take.
   *
   * @param refusal why not, null when they do
   */
  private record Choice(List<Leg> legs, TransactionProtocol.@Nullable Outcome refusal) {}

  private CompletableFuture<Choice> choose(
      OperationRunner runner, ResolvedRequest prepared, int from, List<Leg> chosen) {
    for (int i = from; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      if (leg.bucket().isDivided()) {
        int at = i;
        return runner
            .run(ShardReadProtocol.start(leg.key(), leg.bucket().shards().count()))
            .thenCompose(read -> take(runner, prepared, at, read, chosen));
      }
      chosen.add(leg);
    }
    return CompletableFuture.completedFuture(new Choice(chosen, null));
  }

  private CompletableFuture<Choice> take(
      OperationRunner runner,
      ResolvedRequest prepared,
      int index,
      ShardReadProtocol.Result read,
      List<Leg> chosen) {
    Leg leg = prepared.legs().get(index);
    if (read.failure() != null) {
      return refused(
          new TransactionProtocol.Outcome.Unavailable(read.failure(), /* mayBeCharged= */ false));
    }
    read.shards().forEach(shard -> mirror.saw(BucketSnapshot.of(shard, read.readAtMs())));
    if (read.shards().isEmpty()) {
      chosen.add(leg);
      return choose(runner, prepared, index + 1, chosen);
    }
    BucketView whole =
        BucketView.ofShards(read.shards(), leg.terms(), read.readAtMs(), mirror.plan().maxSkewMs());
    List<BucketView.Part> parts =
        whole.fits(leg.amounts())
            ? whole.choose(leg.amounts(), options.sharding().wideShards())
            : null;
    if (whole.ahead() != null || whole.isDisabled() || (parts != null && parts.isEmpty())) {
      chosen.add(leg); // the transaction will say so
    } else if (parts == null) {
      return refusal(runner, prepared, index, whole);
    } else {
      for (BucketView.Part part : parts) {
        chosen.add(leg.part(mirror.bucket(part.shard().key()), part.amounts()));
      }
    }
    return choose(runner, prepared, index + 1, chosen);
  }

  private CompletableFuture<Choice> refusal(
      OperationRunner runner, ResolvedRequest prepared, int index, BucketView whole) {
    Leg leg = prepared.legs().get(index);
    boolean fits = whole.fits(leg.amounts());
    if (fits) {
      events.leftElsewhere(leg.key());
    }
    Rejection own =
        fits
            ? whole.rejectWithin(leg.amounts(), options.sharding().wideShards())
            : whole.reject(leg.amounts());
    List<@Nullable Outcome> outcomes =
        new ArrayList<>(Collections.nCopies(prepared.legs().size(), Outcome.SKIPPED));
    outcomes.set(index, new Outcome.Rejected(own));
    LegOutcomes ends = new LegOutcomes(outcomes, null);
    return views
        .complete(runner, prepared, ends)
        .thenCompose(
            seen ->
                refused(
                    new TransactionProtocol.Outcome.Rejected(
                        views.rejection(prepared, ends, seen))));
  }

  private static CompletableFuture<Choice> refused(TransactionProtocol.Outcome outcome) {
    return CompletableFuture.completedFuture(new Choice(List.of(), outcome));
  }

  private static Result failed(ResolvedRequest prepared, StoreFailure.Kind kind) {
    return ended(
        prepared,
        new TransactionProtocol.Outcome.Unavailable(
            new StoreFailure(kind, null), /* mayBeCharged= */ false));
  }

  private static Result ended(ResolvedRequest prepared, TransactionProtocol.Outcome outcome) {
    return new Result(prepared, new TransactionProtocol.Result(outcome, List.of(), List.of()));
  }
}
