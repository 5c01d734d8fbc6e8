package dev.millrace.simulator;

import dev.millrace.BucketKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The end of a lease on its way. */
final class LeaseSettlement {
  private final CallerRequest call;
  private final Map<BucketKey, Map<String, Long>> amounts;
  private final boolean sure;
  private final boolean deferred;
  private final long begunNanos;
  private final Set<BucketKey> doubled = new HashSet<>();
  private final Map<BucketKey, Integer> failuresBefore = new HashMap<>();
  private final Map<BucketKey, Integer> expiriesBefore = new HashMap<>();

  /**
   * A settlement.
   *
   * @param amounts millitokens by bucket and limit, charged above zero, given back below
   * @param sure whether all of it must be written: a degraded lease settles only what was charged
   */
  LeaseSettlement(
      CallerRequest call,
      Map<BucketKey, Map<String, Long>> amounts,
      boolean sure,
      boolean deferred,
      long begunNanos) {
    this.call = call;
    this.amounts = amounts;
    this.sure = sure;
    this.deferred = deferred;
    this.begunNanos = begunNanos;
    for (BucketKey key : amounts.keySet()) {
      failuresBefore.put(key, call.life().settleFailures(key));
      expiriesBefore.put(key, call.life().expiries(key));
    }
  }

  CallerRequest call() {
    return call;
  }

  Map<BucketKey, Map<String, Long>> amounts() {
    return amounts;
  }

  boolean sure() {
    return sure;
  }

  boolean deferred() {
    return deferred;
  }

  /** When it began. */
  long begunNanos() {
    return begunNanos;
  }

  /** Whether a bucket was found gone since it began. */
  boolean hasExpired(BucketKey key) {
    return call.life().expiries(key) != expiriesBefore.getOrDefault(key, 0);
  }

  /** Whether the limiter has told of no failure since it began. */
  boolean isUntroubled(BucketKey key) {
    return call.life().isAlive()
        && call.life().settleFailures(key) == failuresBefore.getOrDefault(key, 0);
  }

  /** Notes that it may be sent once more; false when that was known. */
  boolean mayDouble(BucketKey key) {
    return doubled.add(key);
  }
}
