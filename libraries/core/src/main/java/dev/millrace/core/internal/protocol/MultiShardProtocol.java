package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Rejection;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that takes from several shards of one bucket in one transaction what no single one
 * holds. All shards are read first, so that a refusal is that of the whole bucket: what it tells to
 * be available is what all of them hold, and the time to wait is when they will hold enough.
 */
public final class MultiShardProtocol {
  /** Most transactions of one commit; each but the last found that others had taken some of it. */
  public static final int MAX_ROUNDS = 3;

  private static final StoreFailure CONTENDED = new StoreFailure(StoreFailure.Kind.CONTENDED, null);

  private final BucketKey first;
  private final EffectiveLimits terms;
  private final Amounts amounts;
  private final boolean fresh;
  private final int maxShards;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /**
   * A commit that has not begun.
   *
   * @param amounts matched to the limits of {@code terms}, none negative
   * @param fresh whether the terms were looked up just now: see {@link CommitProtocol}
   * @param maxShards most shards that it may take from
   */
  public MultiShardProtocol(
      BucketKey key,
      EffectiveLimits terms,
      Amounts amounts,
      boolean fresh,
      int maxShards,
      PlanSettings settings,
      Supplier<String> ops) {
    this.first = key.withShard(0);
    this.terms = terms;
    this.amounts = amounts;
    this.fresh = fresh;
    this.maxShards = maxShards;
    this.settings = settings;
    this.ops = ops;
  }

  /** What was taken from one shard. */
  public record Taken(BucketKey key, Amounts amounts) {}

  /**
   * How it ended.
   *
   * @param outcome as of a commit; {@link Outcome.Gone} when there is no bucket
   * @param taken what was taken from each shard, when it was admitted
   * @param seen the shards as they were last seen
   * @param leftElsewhere whether it was refused although all shards together hold enough: they are
   *     more than it may take from
   */
  public record Result(
      Outcome outcome, List<Taken> taken, List<BucketSnapshot> seen, boolean leftElsewhere) {
    /** Keeps the lists as they are now. */
    public Result {
      taken = List.copyOf(taken);
      seen = List.copyOf(seen);
    }
  }

  /**
   * Begins.
   *
   * @param believed how many shards there are believed to be
   */
  public Step<Result> start(int believed) {
    return round(believed, 1);
  }

  private Step<Result> round(int believed, int round) {
    return Step.then(
        ShardReadProtocol.start(first, believed),
        read -> {
          if (read.failure() != null) {
            return done(new Outcome.Unavailable(read.failure(), false), List.of());
          }
          return read.shards().isEmpty() ? done(Outcome.GONE, List.of()) : decide(read, round);
        });
  }

  private Step<Result> decide(ShardReadProtocol.Result read, int round) {
    long nowMs = read.readAtMs();
    BucketView whole = BucketView.ofShards(read.shards(), terms, nowMs, settings.maxSkewMs());
    List<BucketSnapshot> seen = snapshots(read);
    ConfigStamp ahead = whole.ahead();
    if (ahead != null) {
      return done(new Outcome.Outdated(ahead), seen);
    }
    if (whole.isDisabled()) {
      return done(Outcome.DISABLED, seen);
    }
    if (!whole.fits(amounts)) {
      return done(new Outcome.Rejected(whole.reject(amounts)), seen);
    }
    List<BucketView.Part> parts = whole.choose(amounts, maxShards);
    if (parts == null) {
      Rejection tooWide = whole.rejectWithin(amounts, maxShards);
      return new Step.Done<>(
          new Result(new Outcome.Rejected(tooWide), List.of(), seen, /* leftElsewhere= */ true));
    }
    return parts.isEmpty() ? done(Outcome.ADMITTED, seen) : take(parts, read, round);
  }

  private Step<Result> take(List<BucketView.Part> parts, ShardReadProtocol.Result read, int round) {
    List<TransactionProtocol.Part> joint = new ArrayList<>(parts.size());
    List<@Nullable BucketSnapshot> known = new ArrayList<>(parts.size());
    List<Taken> taken = new ArrayList<>(parts.size());
    for (BucketView.Part part : parts) {
      BucketKey key = part.shard().key();
      joint.add(new TransactionProtocol.Part(key, terms, part.amounts(), fresh));
      known.add(BucketSnapshot.of(part.shard(), read.readAtMs()));
      taken.add(new Taken(key, part.amounts()));
    }
    return Step.then(
        new TransactionProtocol(joint, settings, ops).start(known, read.readAtMs()),
        result -> {
          List<BucketSnapshot> seen = latest(read, taken, result);
          TransactionProtocol.Outcome outcome = result.outcome();
          if (outcome instanceof TransactionProtocol.Outcome.Admitted) {
            return new Step.Done<>(
                new Result(Outcome.ADMITTED, taken, seen, /* leftElsewhere= */ false));
          }
          if (outcome instanceof TransactionProtocol.Outcome.Unavailable unavailable) {
            return done(
                new Outcome.Unavailable(unavailable.failure(), unavailable.mayBeCharged()), seen);
          }
          if (outcome instanceof TransactionProtocol.Outcome.Outdated outdated) {
            BucketSnapshot ahead = result.snapshots().get(outdated.parts().get(0));
            ConfigStamp stamp = ahead == null ? ConfigStamp.CALL : ahead.state().stamp();
            return done(new Outcome.Outdated(stamp), seen);
          }
          return round < MAX_ROUNDS
              ? round(read.shards().size(), round + 1)
              : done(new Outcome.Unavailable(CONTENDED, /* mayBeCharged= */ false), seen);
        });
  }

  /**
   * What was read, and what the transaction has told of some of it. A shard that it found gone, or
   * may have changed, is not among them.
   */
  private static List<BucketSnapshot> latest(
      ShardReadProtocol.Result read, List<Taken> taken, TransactionProtocol.Result result) {
    Map<BucketKey, BucketSnapshot> latest = new LinkedHashMap<>();
    snapshots(read).forEach(each -> latest.put(each.state().key(), each));
    for (int i = 0; i < taken.size(); i++) {
      BucketSnapshot told = result.snapshots().get(i);
      if (told == null) {
        latest.remove(taken.get(i).key());
      } else {
        latest.put(taken.get(i).key(), told);
      }
    }
    return List.copyOf(latest.values());
  }

  private static List<BucketSnapshot> snapshots(ShardReadProtocol.Result read) {
    return read.shards().stream().map(shard -> BucketSnapshot.of(shard, read.readAtMs())).toList();
  }

  private static Step<Result> done(Outcome outcome, List<BucketSnapshot> seen) {
    return new Step.Done<>(new Result(outcome, List.of(), seen, /* leftElsewhere= */ false));
  }
}
