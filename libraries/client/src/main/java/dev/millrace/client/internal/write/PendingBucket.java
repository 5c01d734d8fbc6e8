package dev.millrace.client.internal.write;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.internal.protocol.UncertainCharge;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of one bucket that are not written yet. Charges and refunds are summed apart: a
 * charge whose write is lost is sent again, a refund is not.
 */
public final class PendingBucket {
  private static final StoreFailure NOT_WRITTEN =
      new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);

  /** Most charges that may be written and are remembered one by one. */
  public static final int MAX_UNCERTAIN = 16;

  /** More doublings of a back-off than its bound allows. */
  private static final int MAX_DOUBLINGS = 16;

  /** What is to be written for one set of limits, which becomes one settlement. */
  public record Sum(EffectiveLimits terms, Amounts amounts) {}

  /** A place in the order of what is due. */
  public static final class Due {
    private final PendingBucket bucket;
    private final long atMs;

    private Due(PendingBucket bucket, long atMs) {
      this.bucket = bucket;
      this.atMs = atMs;
    }

    public PendingBucket bucket() {
      return bucket;
    }

    public long atMs() {
      return atMs;
    }

    /** Whether the bucket has no other place by now. */
    public boolean isCurrent() {
      synchronized (bucket) {
        return bucket.place == this;
      }
    }
  }

  /** The sums for one set of limits. */
  private static final class Sums {
    private final LimitSet limits;
    private EffectiveLimits terms;
    private final long[] chargedMilli;
    private final long[] refundedMilli;

    Sums(EffectiveLimits terms) {
      this.terms = terms;
      this.limits = terms.limits();
      this.chargedMilli = new long[limits.size()];
      this.refundedMilli = new long[limits.size()];
    }

    void add(EffectiveLimits current, Amounts amounts) {
      terms = current;
      for (int i = 0; i < chargedMilli.length; i++) {
        long milli = amounts.milli(i);
        chargedMilli[i] = SaturatedMath.add(chargedMilli[i], Math.max(0, milli));
        refundedMilli[i] = SaturatedMath.add(refundedMilli[i], Math.min(0, milli));
      }
    }

    List<Amounts> parts() {
      List<Amounts> parts = new ArrayList<>(2);
      for (long[] milli : List.of(chargedMilli, refundedMilli)) {
        Amounts sum = Amounts.ofMilli(limits, milli);
        if (!sum.isEmpty()) {
          parts.add(sum);
        }
      }
      return parts;
    }
  }

  private final BucketKey key;
  private final List<Sums> sums = new ArrayList<>(1);
  private final List<UncertainCharge> uncertain = new ArrayList<>(0);
  private long dueAtMs = Long.MAX_VALUE;
  private @Nullable Due place;
  private int failures;
  private long failingSinceMs;
  private StoreFailure failure = NOT_WRITTEN;
  private boolean counted;
  private boolean closed;

  public PendingBucket(BucketKey key) {
    this.key = key;
  }

  public BucketKey key() {
    return key;
  }

  public synchronized boolean isEmpty() {
    return sums.isEmpty() && uncertain.isEmpty();
  }

  /** Adds a settlement that is due at a time; false when this place is closed. */
  public synchronized boolean add(EffectiveLimits terms, Amounts amounts, long atMs) {
    if (closed) {
      return false;
    }
    dueAtMs = isEmpty() ? atMs : Math.min(dueAtMs, atMs); // whatever the back-off says
    of(terms).add(terms, amounts);
    return true;
  }

  private Sums of(EffectiveLimits terms) {
    for (Sums there : sums) {
      if (there.limits.equals(terms.limits())) {
        return there;
      }
    }
    Sums fresh = new Sums(terms);
    sums.add(fresh);
    return fresh;
  }

  /** Adds a settlement that could not be written; false when this place is closed. */
  public synchronized boolean putBack(EffectiveLimits terms, Amounts amounts) {
    if (closed) {
      return false;
    }
    of(terms).add(terms, amounts);
    return true;
  }

  /** Adds a charge that may be written; false when this place is closed. */
  public synchronized boolean putBack(UncertainCharge charge) {
    if (closed) {
      return false;
    }
    uncertain.add(charge);
    return true;
  }

  /**
   * Whether so many charges may be written that no more are sent before it is known which were:
   * sent without their ids, each would be charged again with every write that is lost.
   */
  public synchronized boolean isInDoubt() {
    return uncertain.size() >= MAX_UNCERTAIN;
  }

  /** Whether there is room for one more charge that may be written. */
  public synchronized boolean hasRoom() {
    return uncertain.size() < 2 * MAX_UNCERTAIN;
  }

  /** What waits for the same limits, the charges and the refunds. */
  public synchronized List<Amounts> take(LimitSet limits) {
    if (isInDoubt()) {
      return List.of();
    }
    for (int i = 0; i < sums.size(); i++) {
      if (sums.get(i).limits.equals(limits)) {
        return sums.remove(i).parts();
      }
    }
    return List.of();
  }

  /** One settlement, null for none; what else waits for its limits stays, to go with its write. */
  public synchronized @Nullable Sum takeFirst() {
    if (sums.isEmpty()) {
      return null;
    }
    Sums first = sums.get(0);
    List<Amounts> parts = first.parts();
    if (parts.size() < 2) {
      sums.remove(0);
    } else {
      Arrays.fill(first.chargedMilli, 0);
    }
    return parts.isEmpty() ? takeFirst() : new Sum(first.terms, parts.get(0));
  }

  public synchronized List<UncertainCharge> takeUncertain() {
    List<UncertainCharge> taken = List.copyOf(uncertain);
    uncertain.clear();
    return taken;
  }

  /** The last write failed: the next is due after a while, which doubles each time. */
  public synchronized void failed(long nowMs, StoreFailure last, long longestMs) {
    if (failures == 0) {
      failingSinceMs = nowMs;
    }
    int doublings = Math.min(failures, MAX_DOUBLINGS);
    failures++;
    failure = last;
    dueAtMs = nowMs + Math.min(longestMs, SettlementSchedule.FIRST_RETRY_MS << doublings);
  }

  public synchronized void succeeded() {
    failures = 0;
    failure = NOT_WRITTEN;
  }

  /** How many writes have failed in a row. */
  public synchronized int failures() {
    return failures;
  }

  /** Why the last write failed. */
  public synchronized StoreFailure failure() {
    return failure;
  }

  public synchronized boolean isTooOld(long nowMs) {
    return failures > 0 && nowMs - failingSinceMs > PendingSettlements.MAX_AGE_MS;
  }

  public synchronized void dueAt(long atMs) {
    dueAtMs = atMs;
  }

  public synchronized boolean isDue(long nowMs) {
    return dueAtMs <= nowMs;
  }

  /** Whether it is counted among those that wait from now on, and was not. */
  public synchronized boolean countWaiting() {
    boolean change = !counted && !isEmpty();
    counted |= change;
    return change;
  }

  /** Whether it is not counted any more, and was. */
  public synchronized boolean countTaken() {
    boolean change = counted && isEmpty();
    counted &= !change;
    return change;
  }

  /** A new place in the order of what is due, null when it has one that is early enough. */
  public synchronized @Nullable Due reschedule() {
    if (closed || isEmpty() || (place != null && place.atMs <= dueAtMs)) {
      return null;
    }
    place = new Due(this, dueAtMs);
    return place;
  }

  /** Its place has come. */
  public synchronized void leavePlace() {
    place = null;
  }

  /** Takes nothing more; false when something waits, or is yet to be looked at. */
  public synchronized boolean close() {
    closed = isEmpty() && place == null;
    return closed;
  }
}
