package dev.millrace.server.envoy;

import dev.millrace.Limit;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * What a request of a proxy must be; what is not is refused before anything is charged.
 *
 * <p>Only what the proxy's own configuration decides has bounds here. Values come from those who
 * call the proxy, and most proxies let through what they get an error for: a long header must not
 * be a way around the limit.
 */
final class Requests {
  /** Most descriptors of a request: each may be a round trip. */
  static final int MAX_DESCRIPTORS = 64;

  /** Most entries of a descriptor. */
  static final int MAX_ENTRIES = 16;

  private Requests() {}

  static void require(RateLimitRequest request) {
    if (request.getDomain().isEmpty()) {
      throw invalid("domain '' must not be empty");
    }
    int count = request.getDescriptorsCount();
    if (count < 1 || count > MAX_DESCRIPTORS) {
      throw invalid("descriptors: " + count + " must be from 1 to " + MAX_DESCRIPTORS);
    }
    for (int i = 0; i < count; i++) {
      requireDescriptor("descriptors[" + i + "]", request.getDescriptors(i));
    }
  }

  private static void requireDescriptor(String path, RateLimitDescriptor descriptor) {
    int count = descriptor.getEntriesCount();
    if (count < 1 || count > MAX_ENTRIES) {
      throw invalid(path + ".entries: " + count + " must be from 1 to " + MAX_ENTRIES);
    }
    for (int i = 0; i < count; i++) {
      RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
      String where = path + ".entries[" + i + "]";
      if (entry.getKey().isEmpty()) {
        throw invalid(where + ".key '' must not be empty");
      }
    }
    if (descriptor.hasHitsAddend()) {
      long hits = descriptor.getHitsAddend().getValue();
      if (hits < 0 || hits > Limit.MAX_TOKENS) {
        throw invalid(
            path
                + ".hits_addend "
                + Long.toUnsignedString(hits)
                + " must be from 0 to "
                + Limit.MAX_TOKENS);
      }
    }
  }

  /**
   * How many hits a descriptor is: what it says itself, where 0 is "look, do not count"; else what
   * the request says, where 0 is what an absent number looks like and means 1.
   */
  static long hits(RateLimitRequest request, RateLimitDescriptor descriptor) {
    if (descriptor.hasHitsAddend()) {
      return descriptor.getHitsAddend().getValue();
    }
    return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
  }

  private static StatusRuntimeException invalid(String rule) {
    return Status.INVALID_ARGUMENT.withDescription(rule).asRuntimeException();
  }
}
