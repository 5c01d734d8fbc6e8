package dev.millrace.server;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.InMemoryStore;
import java.util.Objects;

/** The charges in the store, independent of the responses to callers. */
public final class Charged {
  private Charged() {}

  /** Whole tokens of {@code limit} that {@code entity} was charged for gpt-4. */
  public static long tokens(InMemoryStore store, String entity, String limit) {
    BucketState state =
        Objects.requireNonNull(store.snapshot(BucketKey.first("default", entity, "gpt-4")));
    return Objects.requireNonNull(state.find(limit)).consumedMilli() / Limit.MILLI;
  }
}
