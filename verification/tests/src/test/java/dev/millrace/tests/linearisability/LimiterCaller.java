package dev.millrace.tests.linearisability;

import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Caller;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Somebody who asks a limiter one thing at a time, and writes down what was answered. */
final class LimiterCaller {
  private static final BucketAnswer DONE = new BucketAnswer.Done();
  private static final BucketAnswer FAILED = new BucketAnswer.Failed();

  private final CallerId who;
  private final Caller limiter;
  private final LimiterBucket bucket;
  private final HistoryRecorder<BucketCall, BucketAnswer> recorder;

  LimiterCaller(
      CallerId who,
      Caller limiter,
      LimiterBucket bucket,
      HistoryRecorder<BucketCall, BucketAnswer> recorder) {
    this.who = who;
    this.limiter = limiter;
    this.bucket = bucket;
    this.recorder = recorder;
  }

  /** A lease, and what it was charged. */
  record Taken(Lease lease, List<Long> tokens) {}

  /** Acquires; empty unless it was admitted and charged. */
  Optional<Taken> take(List<Long> tokens) {
    AtomicReference<Lease> lease = new AtomicReference<>();
    recorder.record(
        who,
        new BucketCall.Take(milli(tokens)),
        () ->
            unlessUnavailable(
                () -> {
                  Caller.Answer answer = limiter.tryAcquire(bucket.request(tokens));
                  if (answer.rejection().isPresent()) {
                    return refused(answer.rejection().get().statuses());
                  }
                  Lease held = answer.lease().orElseThrow();
                  if (held.isDegraded()) {
                    held.close(); // writes nothing
                    return null; // the write may have been made, and its answer lost
                  }
                  lease.set(held);
                  return DONE;
                }));
    return Optional.ofNullable(lease.get()).map(held -> new Taken(held, tokens));
  }

  /** Consumes more of a lease's first limit; the lease as it is then. */
  Taken takeMore(Taken taken, long tokens) {
    List<Long> more = new ArrayList<>(Collections.nCopies(bucket.limits().size(), 0L));
    more.set(0, tokens);
    BucketAnswer answer =
        recorder.record(
            who,
            new BucketCall.Take(milli(more)),
            () ->
                unlessUnavailable(
                    () -> {
                      try {
                        taken.lease().consume(bucket.limits().get(0).name(), tokens);
                        return taken.lease().isDegraded() ? null : DONE;
                      } catch (RateLimitExceededException e) {
                        return refused(e.rejection().statuses());
                      }
                    }));
    if (!DONE.equals(answer)) {
      return taken;
    }
    List<Long> sum = new ArrayList<>(taken.tokens());
    sum.set(0, sum.get(0) + tokens);
    return new Taken(taken.lease(), sum);
  }

  /** Adjusts and closes a lease. */
  void close(Taken taken, List<Long> tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      taken.lease().adjust(bucket.limits().get(i).name(), tokens.get(i));
    }
    settle(taken.lease(), tokens, taken.lease()::close);
  }

  /** Gives everything back. */
  void cancel(Taken taken) {
    List<Long> back = taken.tokens().stream().map(amount -> -amount).toList();
    settle(taken.lease(), back, taken.lease()::cancel);
  }

  /**
   * When the answer of a write was lost meanwhile, what is charged may have been written once more
   * than the caller is told.
   */
  private void settle(Lease lease, List<Long> tokens, Runnable end) {
    BucketCall settle = new BucketCall.Settle(milli(tokens));
    long lostBefore = limiter.metrics().unknownOutcomes();
    long invokedNanos = System.nanoTime();
    BucketAnswer answer =
        recorder.record(
            who,
            settle,
            () ->
                unlessUnavailable(
                    () -> {
                      end.run();
                      // What the limiter has taken over may be written at any time.
                      return lease.isPostponed() ? null : DONE;
                    }));
    boolean anyLost = limiter.metrics().unknownOutcomes() > lostBefore;
    if (anyLost && !FAILED.equals(answer) && tokens.stream().anyMatch(amount -> amount > 0)) {
      List<Long> charges = tokens.stream().map(amount -> Math.max(0, amount)).toList();
      recorder.add(
          new Operation<>(
              who, invokedNanos, System.nanoTime(), new BucketCall.Settle(milli(charges)), null));
    }
  }

  /** Asks what is available. */
  void look() {
    recorder.record(
        who,
        new BucketCall.Look(),
        () ->
            unlessUnavailable(
                () ->
                    new BucketAnswer.Seen(
                        balances(
                            limiter
                                .available(
                                    bucket.entity(),
                                    bucket.resource(),
                                    bucket.limits().asList().toArray(Limit[]::new))
                                .statuses()))));
  }

  private static BucketAnswer unlessUnavailable(Supplier<BucketAnswer> ask) {
    try {
      return ask.get();
    } catch (LimiterUnavailableException e) {
      return (boolean) e.attributes().get("mayBeCharged") ? null : FAILED;
    }
  }

  private BucketAnswer refused(List<LimitStatus> statuses) {
    return new BucketAnswer.Refused(balances(statuses));
  }

  /** One for each limit of the bucket: whoever is refused is told all of them. */
  private List<Long> balances(List<LimitStatus> statuses) {
    if (!statuses.stream().map(LimitStatus::name).toList().equals(bucket.limits().names())) {
      throw new AssertionError("told of other limits than there are: " + statuses);
    }
    return statuses.stream().map(LimitStatus::availableMilli).toList();
  }

  private static List<Long> milli(List<Long> tokens) {
    return tokens.stream().map(amount -> amount * Limit.MILLI).toList();
  }
}
