package dev.millrace.testkit.internal.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as the callers of limiters know it, asked one thing after the other. The state is what
 * was taken of each limit, in millitokens.
 *
 * <p>Time is not part of the state. The limits never fill up, so what they earned by a moment
 * depends on the moment alone, and the moment of an operation is known to lie between its
 * invocation and its return. Each answer is given the moment that suits it best: an admission the
 * latest, a refusal the earliest. That is cheap and raises no false alarm; it misses what a few
 * milliseconds of refill can hide.
 *
 * <p>What callers were told that they may have, and what they settled, must fit between invocation
 * and return. {@link RefusalRule} says on what a refusal may rest.
 */
public final class BucketSpecification
    implements Specification<List<Long>, BucketCall, BucketAnswer> {
  private final List<BalanceModel> limits;
  private final MachineTime time;
  private final long endsMs;
  private final RefusalRule refusals;

  private BucketSpecification(
      List<BalanceModel> limits, MachineTime time, long endsMs, RefusalRule refusals) {
    this.limits = List.copyOf(limits);
    this.time = time;
    this.endsMs = endsMs;
    this.refusals = refusals;
  }

  /**
   * For callers of one process, which knows everything that is written: a refusal too fits between
   * invocation and return, and the balances that it tells are exact.
   */
  public static BucketSpecification ofOneProcess(
      List<BalanceModel> limits, MachineTime time, History<BucketCall, BucketAnswer> history) {
    return new BucketSpecification(
        limits, time, time.msAt(history.lastNanos()), new RefusalRule.Exact());
  }

  /** For callers of several processes, which refuse from what they saw up to a second ago. */
  public static BucketSpecification ofManyProcesses(
      List<BalanceModel> limits, MachineTime time, History<BucketCall, BucketAnswer> history) {
    return new BucketSpecification(
        limits, time, time.msAt(history.lastNanos()), new RefusalRule.FromMemory(history));
  }

  @Override
  public List<Long> initial() {
    return Collections.nCopies(limits.size(), 0L);
  }

  @Override
  public long earliestNanos(Operation<BucketCall, BucketAnswer> operation) {
    return operation.answered() instanceof BucketAnswer.Refused
        ? refusals.earliestNanos(operation)
        : operation.invokedNanos();
  }

  @Override
  public @Nullable List<Long> after(
      List<Long> taken, Operation<BucketCall, BucketAnswer> operation) {
    BucketAnswer answer = operation.answered();
    if (answer instanceof BucketAnswer.Failed) {
      return taken;
    }
    if (operation.asked() instanceof BucketCall.Take take) {
      if (answer instanceof BucketAnswer.Refused refused) {
        return isRefused(taken, operation, take, refused) ? taken : null;
      }
      long latestMs = answer == null ? endsMs : time.msAt(operation.returnedNanos());
      return fits(taken, take, latestMs) ? plus(taken, take.milli()) : null;
    }
    if (operation.asked() instanceof BucketCall.Settle settle) {
      return plus(taken, settle.milli());
    }
    boolean right =
        !(answer instanceof BucketAnswer.Seen seen) || shows(taken, operation, seen.milli());
    return right ? taken : null;
  }

  private boolean fits(List<Long> taken, BucketCall.Take take, long atMs) {
    for (int i = 0; i < limits.size(); i++) {
      long wantedMilli = take.milli().get(i);
      if (wantedMilli > 0 && wantedMilli > balanceMilli(i, taken, atMs)) {
        return false;
      }
    }
    return true;
  }

  private boolean isRefused(
      List<Long> taken,
      Operation<BucketCall, BucketAnswer> operation,
      BucketCall.Take take,
      BucketAnswer.Refused refused) {
    if (refusals.tellsBalances() && !shows(taken, operation, refused.availableMilli())) {
      return false;
    }
    long earliestMs = time.msAt(operation.invokedNanos()) - refusals.unclaimedMs();
    for (int i = 0; i < limits.size(); i++) {
      long wantedMilli = take.milli().get(i);
      long balanceMilli =
          balanceMilli(i, taken, earliestMs) - refusals.takenTogetherMilli(operation, i);
      if (wantedMilli > 0 && wantedMilli > balanceMilli) {
        return true;
      }
    }
    return false;
  }

  /** Whether {@code milli} are the balances of some moment while the operation was under way. */
  private boolean shows(
      List<Long> taken, Operation<BucketCall, BucketAnswer> operation, List<Long> milli) {
    long fromMs = time.msAt(operation.invokedNanos());
    long toMs = time.msAt(operation.returnedNanos());
    for (int i = 0; i < limits.size(); i++) {
      if (milli.get(i) < balanceMilli(i, taken, fromMs)
          || milli.get(i) > balanceMilli(i, taken, toMs)) {
        return false;
      }
    }
    return true;
  }

  private long balanceMilli(int limit, List<Long> taken, long atMs) {
    return limits.get(limit).atMs(atMs) - taken.get(limit);
  }

  private static List<Long> plus(List<Long> taken, List<Long> milli) {
    List<Long> sum = new ArrayList<>(taken.size());
    for (int i = 0; i < taken.size(); i++) {
      sum.add(taken.get(i) + milli.get(i));
    }
    return sum;
  }
}
