package dev.millrace.client.internal;

import dev.millrace.Lease;
import dev.millrace.RateLimiter.Body;
import dev.millrace.client.internal.store.Throwables;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A piece of work under a lease, which is settled when the work succeeds, else given back. */
final class LimitedCall {
  private LimitedCall() {}

  /** Runs {@code body} and ends {@code lease}. */
  static <T, X extends Exception> T run(Lease lease, Body<T, X> body) throws X {
    T result;
    try {
      result = body.run(lease);
    } catch (Throwable thrown) { // an Error or an interrupt must not keep the charge either
      try {
        lease.cancel();
      } catch (RuntimeException e) {
        thrown.addSuppressed(e);
      }
      throw thrown;
    }
    lease.close();
    return result;
  }

  /** The same once a lease is acquired, and when the stage of the body is complete. */
  static <T> CompletableFuture<T> runAsync(
      CompletableFuture<Lease> acquired, Function<Lease, CompletionStage<T>> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<T> unusedCancel =
        result.whenComplete((value, failure) -> acquired.cancel(false)); // unless it is answered
    CompletableFuture<Lease> unused =
        acquired.whenComplete(
            (lease, failure) -> {
              if (failure != null) {
                result.completeExceptionally(Throwables.unwrapped(failure));
              } else if (result.isDone()) {
                CompletionStage<Void> unusedEnd = lease.cancelAsync(); // listeners hear of failure
              } else {
                runInto(result, lease, body);
              }
            });
    return result;
  }

  /**
   * Runs the body and completes {@code result} with its end. When the caller completes the result
   * before, as {@code cancel} or {@code orTimeout} do, the body's stage is cancelled, and a stage
   * that fails gives the charge back.
   */
  private static <T> void runInto(
      CompletableFuture<T> result, Lease lease, Function<Lease, CompletionStage<T>> body) {
    CompletionStage<T> work;
    try {
      work = Objects.requireNonNull(body.apply(lease), "the body gave no stage");
    } catch (Throwable thrown) { // an Error must not keep the charge either
      work = CompletableFuture.failedFuture(thrown);
    }
    CompletionStage<T> running = work;
    CompletableFuture<T> unusedCancel =
        result.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                cancel(running);
              }
            });
    CompletionStage<T> unused =
        settledAfter(lease, work)
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(Throwables.unwrapped(failure));
                  }
                });
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(false);
    } catch (UnsupportedOperationException e) {
      // The stage cannot be cancelled: the lease ends when it does.
    }
  }

  private static <T> CompletionStage<T> settledAfter(Lease lease, CompletionStage<T> work) {
    return work.handle(
            (result, failure) ->
                failure == null
                    ? lease.closeAsync().thenApply(ignored -> result)
                    : lease
                        .cancelAsync()
                        .handle(
                            (ignored, refundFailure) -> {
                              Throwable cause = Throwables.unwrapped(failure);
                              if (refundFailure != null) {
                                cause.addSuppressed(Throwables.unwrapped(refundFailure));
                              }
                              return cause;
                            })
                        .thenCompose(CompletableFuture::<T>failedFuture))
        .thenCompose(Function.identity());
  }
}
