package dev.millrace.client.internal;

import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;

/** A request that was checked and resolved: nothing in it can be wrong any more. */
record Prepared(
    BucketKey key, Amounts amounts, OnUnavailable policy, boolean prefetch, Settlement settlement) {
  static Prepared of(AcquireRequest request, LimiterOptions options) {
    AcquireRequest.Preferences wanted = request.preferences();
    return new Prepared(
        request.keyIn(options.namespace()),
        request.requireAmounts(),
        wanted.onUnavailable() == null ? options.onUnavailable() : wanted.onUnavailable(),
        wanted.prefetch() == null ? options.prefetch() : wanted.prefetch(),
        wanted.settlement() == null ? options.settlement() : wanted.settlement());
  }
}
