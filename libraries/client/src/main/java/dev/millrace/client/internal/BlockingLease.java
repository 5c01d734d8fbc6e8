package dev.millrace.client.internal;

import dev.millrace.client.Lease;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.store.Futures;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.RateLimitExceededException;
import java.util.Map;

/** A lease whose writes are waited for: the blocking runner's futures are complete. */
final class BlockingLease extends LeaseBase implements Lease {
  private final LimiterParts parts;
  private final OperationRunner runner;

  BlockingLease(LimiterParts parts, OperationRunner runner, LeaseLedger ledger) {
    super(ledger);
    this.parts = parts;
    this.runner = runner;
  }

  @Override
  public void consume(Map<String, Long> tokens) {
    Decision decision = Futures.get(parts.consume(runner, ledger, tokens));
    if (decision instanceof Decision.Refused refused) {
      throw new RateLimitExceededException(refused.rejection());
    }
    if (decision instanceof Decision.Off off) {
      throw new LimiterDisabledException(off.disabled());
    }
    if (decision instanceof Decision.Failed failed) {
      throw failed.exception();
    }
  }

  @Override
  public void close() {
    Futures.get(parts.settling.close(runner, ledger))
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  @Override
  public void cancel() {
    Futures.get(parts.settling.cancel(runner, ledger))
        .ifPresent(
            failure -> {
              throw failure;
            });
  }
}
