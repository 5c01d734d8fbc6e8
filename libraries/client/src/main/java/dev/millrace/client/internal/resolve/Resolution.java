package dev.millrace.client.internal.resolve;

import dev.millrace.OnUnavailable;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.spi.store.StoreFailure;

/** How the resolution of a request ended. */
public sealed interface Resolution {
  /** It is resolved. */
  record Ready(ResolvedRequest prepared) implements Resolution {}

  /** The store did not tell what holds for it. */
  record Unavailable(StoreFailure failure, OnUnavailable policy) implements Resolution {}
}
