package dev.millrace.client.internal.store;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.store.StoreFailure;
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
