package dev.millrace.llm.meter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call whose answer is a future: the request, and the effect of cancelling it. */
final class AsyncCall<T> {
  private final Supplier<CompletableFuture<T>> ask;
  private final Function<T, CallEnd> endOf;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  AsyncCall(Supplier<CompletableFuture<T>> ask, Function<T, CallEnd> endOf) {
    this.ask = ask;
    this.endOf = endOf;
  }

  CompletableFuture<T> over(CompletionStage<MeteredCall> begun) {
    var unused =
        begun.whenComplete(
            (metered, failure) -> {
              if (failure != null) {
                result.completeExceptionally(ProviderFailures.unwrapped(failure));
              } else {
                ask(metered);
              }
            });
    return result;
  }

  private void ask(MeteredCall metered) {
    if (result.isCancelled()) {
      var unused = metered.endQuietlyAsync(CallEnd.nothingUsed());
      return;
    }
    CompletableFuture<T> asked;
    try {
      asked = ask.get();
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> answer = asked;
    var unusedCancelled =
        result.whenComplete(
            (ignored, failure) -> {
              if (result.isCancelled()) {
                var unused = metered.endQuietlyAsync(CallEnd.cancelled());
                answer.cancel(/* mayInterruptIfRunning= */ true);
              }
            });
    var unusedAnswered =
        answer.whenComplete(
            (value, failure) -> {
              var unused =
                  metered
                      .endQuietlyAsync(
                          () ->
                              failure == null
                                  ? endOf.apply(value)
                                  : metered.endOf(ProviderFailures.unwrapped(failure)))
                      .whenComplete((done, never) -> complete(value, failure));
            });
  }

  private void complete(T value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(ProviderFailures.unwrapped(failure));
    }
  }
}
