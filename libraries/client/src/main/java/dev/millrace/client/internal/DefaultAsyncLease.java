package dev.millrace.client.internal;

import dev.millrace.client.AsyncLease;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.error.RateLimitExceededException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A lease whose writes complete later. */
final class DefaultAsyncLease extends LeaseBase implements AsyncLease {
  private final LimiterParts parts;
  private final OperationRunner runner;

  DefaultAsyncLease(LimiterParts parts, OperationRunner runner, LeaseLedger ledger) {
    super(ledger);
    this.parts = parts;
    this.runner = runner;
  }

  @Override
  public CompletionStage<Void> consume(Map<String, Long> tokens) {
    return parts
        .consume(runner, ledger, tokens)
        .thenAccept(
            decision -> {
              if (decision instanceof Decision.Refused refused) {
                throw new RateLimitExceededException(refused.rejection());
              }
              if (decision instanceof Decision.Off off) {
                throw new LimiterDisabledException(off.disabled());
              }
              if (decision instanceof Decision.Failed failed) {
                throw failed.exception();
              }
            });
  }

  @Override
  public CompletionStage<Void> close() {
    return parts.settling.close(runner, ledger).thenCompose(DefaultAsyncLease::ended);
  }

  @Override
  public CompletionStage<Void> cancel() {
    return parts.settling.cancel(runner, ledger).thenCompose(DefaultAsyncLease::ended);
  }

  private static CompletionStage<Void> ended(Optional<LimiterUnavailableException> failure) {
    return failure.isPresent()
        ? CompletableFuture.failedFuture(failure.get())
        : CompletableFuture.completedFuture(null);
  }
}
