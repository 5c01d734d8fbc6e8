package dev.millrace.client.internal.mirror;

import dev.millrace.core.request.AcquireRequest;

/**
 * A request that was prepared and may come again: callers that keep their request are spared
 * preparing it millions of times a second.
 */
public record ReusableRequest(
    AcquireRequest request, CachedConfig known, ResolvedRequest prepared) {
  /** Whether it does not depend on anything but its first bucket. */
  public static boolean isReusable(ResolvedRequest prepared, CachedConfig known) {
    return prepared.legs().size() == 1
        && prepared.request().draws().size() == 1
        && known.parent() == null
        && prepared.off() == null
        && !prepared.first().mayCreate(); // that holds only for a moment
  }

  /** Whether it was made for this very request, from this very knowledge. */
  @SuppressWarnings("ReferenceEquality")
  public // the same, not an equal one: comparing costs more
  boolean isOf(AcquireRequest wanted, CachedConfig current) {
    return request == wanted && known == current;
  }
}
