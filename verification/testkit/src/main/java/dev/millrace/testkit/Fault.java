package dev.millrace.testkit;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A fault that happens to a call on its way. Faults compose: {@code before(hook).and(loseReply())}
 * runs the hook, makes the call and loses its answer.
 */
@FunctionalInterface
public interface Fault {
  /**
   * Makes the call, or does not, and answers.
   *
   * @param call what is asked
   * @param proceed makes the call; may be used never, once or, for a resent request, again
   */
  CompletionStage<StoreReply> around(StoreCall call, Supplier<CompletionStage<StoreReply>> proceed);

  /** This fault around {@code inner}: what is done first is on the outside. */
  default Fault and(Fault inner) {
    return (call, proceed) -> around(call, () -> inner.around(call, proceed));
  }

  /** Nothing happens: a place in a script. */
  static Fault none() {
    return (call, proceed) -> proceed.get();
  }

  /** The call is made and its answer lost. */
  static Fault loseReply() {
    return (call, proceed) -> proceed.get().thenApply(lost -> timedOut());
  }

  /** The call is lost before it is made; the caller cannot know that. */
  static Fault loseRequest() {
    return (call, proceed) -> CompletableFuture.completedFuture(timedOut());
  }

  /** The call is still under way when its caller gives up, and is made when the gate opens. */
  static Fault arriveLate(Gate gate) {
    return (call, proceed) -> {
      CompletableFuture<StoreReply> unheard =
          gate.arrive().thenCompose(open -> proceed.get()).toCompletableFuture();
      // Through an open gate the call is made now, and its bugs are not swallowed.
      return unheard.isDone()
          ? unheard.thenApply(lost -> timedOut())
          : CompletableFuture.completedFuture(timedOut());
    };
  }

  /** The table as a whole is asked too much; nothing is made. */
  static Fault throttle() {
    return notApplied(StoreFailure.Kind.THROTTLED);
  }

  /** The key of the call is used harder than it sustains; nothing is made. */
  static Fault hotKey() {
    return notApplied(StoreFailure.Kind.HOT_KEY);
  }

  /** No connection can be made; nothing is made. */
  static Fault unreachable() {
    return notApplied(StoreFailure.Kind.UNREACHABLE);
  }

  /** A transaction of somebody else is in the way; nothing is made. */
  static Fault conflict() {
    return notApplied(StoreFailure.Kind.CONFLICT);
  }

  /** The call is made at once, its answer waits for the gate. */
  static Fault holdReply(Gate gate) {
    return (call, proceed) ->
        proceed.get().thenCompose(reply -> gate.arrive().thenApply(open -> reply));
  }

  /** The call waits for the gate before it is made. */
  static Fault holdRequest(Gate gate) {
    return (call, proceed) -> gate.arrive().thenCompose(open -> proceed.get());
  }

  /** Runs {@code hook} before the call: another writer between a plan and its write. */
  static Fault before(Runnable hook) {
    return (call, proceed) -> {
      hook.run();
      return proceed.get();
    };
  }

  /** Runs {@code hook} after the call, before its answer is told. */
  static Fault after(Runnable hook) {
    return (call, proceed) ->
        proceed
            .get()
            .thenApply(
                reply -> {
                  hook.run();
                  return reply;
                });
  }

  /** A bug or a mistake in set-up: {@code thrown} reaches the caller as it is. */
  static Fault raise(RuntimeException thrown) {
    return (call, proceed) -> CompletableFuture.failedFuture(thrown);
  }

  private static Fault notApplied(StoreFailure.Kind kind) {
    return (call, proceed) ->
        CompletableFuture.completedFuture(
            new StoreReply.NotApplied(new StoreFailure(kind, null), Receipt.NONE));
  }

  private static StoreReply timedOut() {
    return new StoreReply.Unknown(
        new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
  }
}
