package dev.millrace.testkit.internal.history;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The rule of when a refusal is justified. */
interface RefusalRule {
  /** The earliest moment whose state it may rest on. */
  long earliestNanos(Operation<BucketCall, BucketAnswer> refused);

  /** Whether the balances that it tells are those of that moment. */
  boolean tellsBalances();

  /** How long before it was asked what was earned may have been left to others. */
  long unclaimedMs();

  /** What was taken of a limit for others before it came to the one refused, at most. */
  long takenTogetherMilli(Operation<BucketCall, BucketAnswer> refused, int limit);

  /** On the bucket as it was at some moment between invocation and return. */
  final class Exact implements RefusalRule {
    @Override
    public long earliestNanos(Operation<BucketCall, BucketAnswer> refused) {
      return refused.invokedNanos();
    }

    @Override
    public boolean tellsBalances() {
      return true;
    }

    @Override
    public long unclaimedMs() {
      return 0;
    }

    @Override
    public long takenTogetherMilli(Operation<BucketCall, BucketAnswer> refused, int limit) {
      return 0;
    }
  }

  /**
   * On what the process saw less than a second ago, by milliseconds that are cut off. What it saw
   * came with some operation of its own, and may be as old as that took. Then:
   *
   * <ul>
   *   <li>Callers of one process are decided together. One is refused when the memory does not
   *       suffice for those before it and for it, while the write for those before it may find that
   *       others have given back meanwhile. So there may be no moment at which the balance was that
   *       low; there is one at which it was, less what was taken for the others.
   *   <li>Who lost two writes to others no longer counts on what was earned since the last claim,
   *       which is less than the refill grain ago.
   * </ul>
   */
  final class FromMemory implements RefusalRule {
    /** The promised second, and the millisecond that is cut off. */
    private static final long TRUST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_001);

    /** The promised refill grain. */
    private static final long GRAIN_MS = 100;

    private final Map<String, Long> longestNanos = new HashMap<>();
    private final IdentityHashMap<Operation<BucketCall, BucketAnswer>, long[]> together =
        new IdentityHashMap<>();

    FromMemory(History<BucketCall, BucketAnswer> history) {
      for (Operation<BucketCall, BucketAnswer> op : history.operations()) {
        longestNanos.merge(op.who().process(), op.tookNanos(), Math::max);
      }
      for (Operation<BucketCall, BucketAnswer> op : history.operations()) {
        if (op.answered() instanceof BucketAnswer.Refused) {
          together.put(op, together(op, history));
        }
      }
    }

    /** For each other caller of the process, the most that it took at a time meanwhile. */
    private static long[] together(
        Operation<BucketCall, BucketAnswer> refused, History<BucketCall, BucketAnswer> history) {
      Map<CallerId, long[]> most = new HashMap<>();
      int limits = ((BucketCall.Take) refused.asked()).milli().size();
      for (Operation<BucketCall, BucketAnswer> op : history.operations()) {
        List<Long> milli = takes(op);
        if (milli != null
            && op.who().process().equals(refused.who().process())
            && !op.who().equals(refused.who())
            && op.overlaps(refused)) {
          long[] own = most.computeIfAbsent(op.who(), who -> new long[limits]);
          for (int i = 0; i < limits; i++) {
            own[i] = Math.max(own[i], milli.get(i));
          }
        }
      }
      long[] sum = new long[limits];
      for (long[] own : most.values()) {
        for (int i = 0; i < limits; i++) {
          sum[i] += own[i];
        }
      }
      return sum;
    }

    private static @Nullable List<Long> takes(Operation<BucketCall, BucketAnswer> op) {
      if (op.answered() instanceof BucketAnswer.Refused) {
        return null;
      }
      if (op.asked() instanceof BucketCall.Take take) {
        return take.milli();
      }
      return op.asked() instanceof BucketCall.Settle settle ? settle.milli() : null;
    }

    @Override
    public long earliestNanos(Operation<BucketCall, BucketAnswer> refused) {
      long longest = longestNanos.getOrDefault(refused.who().process(), 0L);
      return refused.invokedNanos() - TRUST_NANOS - longest;
    }

    @Override
    public boolean tellsBalances() {
      return false;
    }

    @Override
    public long unclaimedMs() {
      return GRAIN_MS;
    }

    @Override
    public long takenTogetherMilli(Operation<BucketCall, BucketAnswer> refused, int limit) {
      long[] milli = together.get(refused);
      return milli == null ? 0 : milli[limit];
    }
  }
}
