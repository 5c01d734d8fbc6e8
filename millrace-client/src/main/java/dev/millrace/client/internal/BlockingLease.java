package dev.millrace.client.internal;

import dev.millrace.client.Lease;
import dev.millrace.core.error.RateLimitExceededException;
import java.util.Map;

/** A lease whose writes are waited for. */
final class BlockingLease extends LeaseBase implements Lease {
  private final LimiterCore core;
  private final BlockingDriver driver;

  BlockingLease(LimiterCore core, BlockingDriver driver, LeaseLedger ledger) {
    super(ledger);
    this.core = core;
    this.driver = driver;
  }

  @Override
  public void consume(Map<String, Long> tokens) {
    Decision decision = driver.run(core.consume(ledger, tokens));
    if (decision instanceof Decision.Refused refused) {
      throw new RateLimitExceededException(refused.rejection());
    }
    if (decision instanceof Decision.Failed failed) {
      throw failed.exception();
    }
  }

  @Override
  public void close() {
    driver
        .run(core.close(ledger))
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  @Override
  public void cancel() {
    driver
        .run(core.cancel(ledger))
        .ifPresent(
            failure -> {
              throw failure;
            });
  }
}
