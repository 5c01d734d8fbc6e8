package dev.millrace.client.internal.mirror;

import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller's demand on its way through a {@link WriteQueue}. */
public final class QueuedOperation {
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
  public sealed interface Turn {
    /** This is what became of the demand. */
    record Ended(Outcome outcome) implements Turn {}

    /** The conversation broke on a mistake or a bug. */
    record Broken(Throwable cause) implements Turn {}

    /** The caller shall lead this batch, of which it is a member. */
    record Lead(List<QueuedOperation> batch) implements Turn {}

    /**
     * The caller has given up waiting.
     *
     * @param mayBeCharged whether its demand had left with a write already
     * @param end how that ends
     */
    record Abandoned(boolean mayBeCharged, CompletableFuture<Outcome> end) implements Turn {}
  }

  private final Waiting waiting;
  private final BucketOperation order;
  private final long endsAtMs;
  private final @Nullable PlaceInLine place;
  private final CompletableFuture<Turn> turn = new CompletableFuture<>();

  /** A member that waits as long as it takes, or whose caller sees to it that it does not. */
  public QueuedOperation(Waiting waiting, BucketOperation order) {
    this(waiting, order, Long.MAX_VALUE, null);
  }

  /** The same, of a caller with a place in a wait line, or null. */
  public QueuedOperation(Waiting waiting, BucketOperation order, @Nullable PlaceInLine place) {
    this(waiting, order, Long.MAX_VALUE, place);
  }

  /** A member that is not taken along any more after {@code endsAtMs} of the time that elapses. */
  public QueuedOperation(Waiting waiting, BucketOperation order, long endsAtMs) {
    this(waiting, order, endsAtMs, null);
  }

  private QueuedOperation(
      Waiting waiting, BucketOperation order, long endsAtMs, @Nullable PlaceInLine place) {
    this.waiting = waiting;
    this.order = order;
    this.endsAtMs = endsAtMs;
    this.place = place;
  }

  /** Its number in the wait line of its bucket; 0 for a caller without a wait. */
  public long numberInLine() {
    return place == null ? 0 : place.number();
  }

  public Waiting waiting() {
    return waiting;
  }

  public BucketOperation order() {
    return order;
  }

  public BucketDemand demand() {
    return order.demand();
  }

  public EffectiveLimits terms() {
    return order.terms();
  }

  public LimitSet limits() {
    return order.terms().limits();
  }

  public CompletableFuture<Turn> turn() {
    return turn;
  }

  /**
   * Whether it has waited for its turn as long as a decision may take. Who settles waits on: what a
   * call has cost must not be lost.
   */
  public boolean isLate(long elapsedMs) {
    return elapsedMs >= endsAtMs && demand().kind() == BucketDemand.Kind.ACQUIRE;
  }

  /** Tells the caller; false when it has given up. */
  public boolean tell(Turn told) {
    boolean heard = turn.complete(told);
    if (!heard && turn.join() instanceof Turn.Abandoned abandoned) { // is done: does not wait
      complete(abandoned.end(), told);
    }
    return heard;
  }

  /** What becomes of the demand, when no caller gives up waiting for it. */
  public CompletableFuture<Outcome> outcome() {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Void> unused = turn.thenAccept(told -> complete(outcome, told));
    return outcome;
  }

  private static void complete(CompletableFuture<Outcome> outcome, Turn told) {
    if (told instanceof Turn.Ended ended) {
      outcome.complete(ended.outcome());
    } else if (told instanceof Turn.Broken broken) {
      outcome.completeExceptionally(broken.cause());
    }
  }

  /** Gives up, unless the caller was told something just before; that, or that it has given up. */
  public Turn abandon(boolean mayBeCharged) {
    boolean unused = turn.complete(new Turn.Abandoned(mayBeCharged, new CompletableFuture<>()));
    return turn.join(); // is done: does not wait
  }

  /** Whether it need not be taken along any more: a settlement must be, whoever waits for it. */
  public boolean isWithdrawn() {
    return isAbandoned() && demand().kind() == BucketDemand.Kind.ACQUIRE;
  }

  /** Whether the caller has given up. */
  public boolean isAbandoned() {
    return turn.getNow(null) instanceof Turn.Abandoned;
  }
}
