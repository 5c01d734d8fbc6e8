package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;

/** A request that was checked and resolved: nothing in it can be wrong any more. */
record Prepared(BucketKey key, Amounts amounts, OnUnavailable policy) {
  static Prepared of(AcquireRequest request, String namespace, OnUnavailable defaultPolicy) {
    OnUnavailable policy = request.onUnavailable();
    return new Prepared(
        BucketKey.first(namespace, request.entityId(), request.resource()),
        request.requireAmounts(),
        policy == null ? defaultPolicy : policy);
  }
}
