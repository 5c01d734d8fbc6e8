package dev.millrace.client.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What is missing in {@link CompletableFuture}. */
public final class Futures {
  private Futures() {}

  /** All results in order, once all are in; fails when one of them failed, also then after all. */
  public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
    if (futures.size() == 1) {
      return futures.get(0).thenApply(List::of);
    }
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            ignored -> {
              List<T> results = new ArrayList<>(futures.size());
              for (CompletableFuture<T> future : futures) {
                results.add(future.join()); // all are complete: does not wait
              }
              return results;
            });
  }

  /** The result of a future that a blocking runner has completed; throws what it failed with. */
  public static <T> T get(CompletableFuture<T> complete) {
    try {
      return complete.join();
    } catch (CompletionException e) {
      throw Throwables.unchecked(Throwables.unwrapped(e));
    }
  }
}
