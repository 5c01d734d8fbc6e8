package dev.millrace.client.internal.store;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.Map;

/** Turns failures of the store into the exceptions that callers see. */
public final class StoreErrors {
  private StoreErrors() {}

  public static LimiterUnavailableException unavailable(
      BucketKey key, StoreFailure failure, boolean mayBeCharged) {
    return new LimiterUnavailableException(
        "the store did not answer",
        Map.of(
            "bucket",
            key,
            "failure",
            failure.kind(),
            "mayBeCharged",
            mayBeCharged,
            "todo",
            failure.todo()),
        failure.cause());
  }
}
