package dev.millrace.client.internal.mirror;

import dev.millrace.Amounts;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A demand on its way into a bucket. A runner submits it once to the {@link WriteQueue} of the
 * bucket and states how its caller waits for the {@link Signal} that ends the wait.
 */
public final class BucketOperation {
  /** How its caller waits. */
  public enum Waiting {
    /** A thread waits, and may be asked to lead. */
    BLOCKING,
    /** A future waits. */
    ASYNC,
    /** A thread waits that must not be asked to lead, because it leads elsewhere. */
    ASIDE,
    /** Nobody waits. */
    DETACHED
  }

  /** What a member is told, once. */
  public sealed interface Signal {
    /** This is what became of the demand. */
    record Ended(Outcome outcome) implements Signal {}

    /** The conversation broke on a mistake or a bug. */
    record Broken(Throwable cause) implements Signal {}

    /** The caller shall lead this batch, of which it is a member. */
    record Lead(List<BucketOperation> batch) implements Signal {}

    /**
     * The caller has given up waiting.
     *
     * @param mayBeCharged whether its demand had left with a write already
     * @param end how that ends
     */
    record Abandoned(boolean mayBeCharged, CompletableFuture<Outcome> end) implements Signal {}
  }

  private final MirroredBucket bucket;
  private final EffectiveLimits terms;
  private final BucketDemand demand;
  private final boolean mayCreate;
  private final CompletableFuture<Signal> signal = new CompletableFuture<>();
  private Waiting waiting = Waiting.DETACHED;
  private long endsAtMs = Long.MAX_VALUE;
  private @Nullable PlaceInLine place;

  /**
   * An operation that is not submitted yet.
   *
   * @param terms what holds for the bucket, as far as the caller knows
   * @param mayCreate whether the bucket may be made with these terms
   */
  public BucketOperation(
      MirroredBucket bucket, EffectiveLimits terms, BucketDemand demand, boolean mayCreate) {
    this.bucket = bucket;
    this.terms = terms;
    this.demand = demand;
    this.mayCreate = mayCreate;
  }

  /** Takes the amounts of a leg, all of them or nothing. */
  public static BucketOperation acquire(Leg leg) {
    return new BucketOperation(
        leg.bucket(), leg.terms(), BucketDemand.acquire(leg.amounts()), leg.mayCreate());
  }

  /** Writes down what a call has cost; it must not be lost, so it may create the bucket. */
  public static BucketOperation settle(
      MirroredBucket bucket, EffectiveLimits terms, Amounts amounts) {
    return new BucketOperation(bucket, terms, BucketDemand.settle(amounts), /* mayCreate= */ true);
  }

  /** Gives back what a leg was charged. */
  public static BucketOperation refund(Leg leg) {
    return settle(leg.bucket(), leg.terms(), leg.amounts().negated());
  }

  /** Gives back what this operation was charged. */
  public BucketOperation refund() {
    return settle(bucket, terms, demand.amounts().negated());
  }

  /** Before it is submitted: how its caller waits, for as long as it takes. */
  public BucketOperation waiting(Waiting how) {
    this.waiting = how;
    return this;
  }

  /** Before it is submitted: the place of its caller in a wait line, null for none. */
  public BucketOperation inLine(@Nullable PlaceInLine itsPlace) {
    this.place = itsPlace;
    return this;
  }

  /** Before it is submitted: from when of the time that elapses it is not written any more. */
  public BucketOperation until(long elapsedMs) {
    this.endsAtMs = elapsedMs;
    return this;
  }

  /** Its number in the wait line of its bucket; 0 for a caller without a wait. */
  public long numberInLine() {
    return place == null ? 0 : place.number();
  }

  public Waiting waiting() {
    return waiting;
  }

  public MirroredBucket bucket() {
    return bucket;
  }

  public EffectiveLimits terms() {
    return terms;
  }

  public BucketDemand demand() {
    return demand;
  }

  public boolean mayCreate() {
    return mayCreate;
  }

  public CompletableFuture<Signal> signal() {
    return signal;
  }

  /**
   * Whether it has waited for its signal as long as a decision may take. Who settles waits on: what
   * a call has cost must not be lost.
   */
  public boolean isLate(long elapsedMs) {
    return elapsedMs >= endsAtMs && demand.kind() == BucketDemand.Kind.ACQUIRE;
  }

  /** Tells the caller; false when it has given up. */
  public boolean complete(Signal told) {
    boolean heard = signal.complete(told);
    if (!heard && signal.join() instanceof Signal.Abandoned abandoned) { // is done: does not wait
      passOn(told, abandoned.end());
    }
    return heard;
  }

  /** What becomes of the demand, when no caller gives up waiting for it. */
  public CompletableFuture<Outcome> outcome() {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Void> unused = signal.thenAccept(told -> passOn(told, outcome));
    return outcome;
  }

  private static void passOn(Signal told, CompletableFuture<Outcome> outcome) {
    if (told instanceof Signal.Ended ended) {
      outcome.complete(ended.outcome());
    } else if (told instanceof Signal.Broken broken) {
      outcome.completeExceptionally(broken.cause());
    }
  }

  /** Gives up, unless the caller was told something just before; that, or that it has given up. */
  public Signal abandon(boolean mayBeCharged) {
    boolean unused = signal.complete(new Signal.Abandoned(mayBeCharged, new CompletableFuture<>()));
    return signal.join(); // is done: does not wait
  }

  /** Whether it need not be taken along any more: a settlement must be, whoever waits for it. */
  public boolean isWithdrawn() {
    return isAbandoned() && demand.kind() == BucketDemand.Kind.ACQUIRE;
  }

  /** Whether the caller has given up. */
  public boolean isAbandoned() {
    return signal.getNow(null) instanceof Signal.Abandoned;
  }
}
