package dev.millrace.client.internal.store;

import dev.millrace.core.spi.store.StoreFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A look-up of which at most one is under way: who comes meanwhile waits for it, or does not. */
public final class SingleFlight {
  private final AtomicReference<@Nullable CompletableFuture<Optional<StoreFailure>>> underWay =
      new AtomicReference<>();

  /**
   * Begins, unless somebody has begun before.
   *
   * @param mine is to be completed when it has ended, with what went wrong
   * @return the one that is under way already, or null
   */
  public @Nullable CompletableFuture<Optional<StoreFailure>> begin(
      CompletableFuture<Optional<StoreFailure>> mine) {
    return underWay.compareAndExchange(null, mine);
  }

  public void end(CompletableFuture<Optional<StoreFailure>> mine) {
    underWay.compareAndSet(mine, null);
  }
}
