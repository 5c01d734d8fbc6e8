package dev.millrace.tests.linearisability;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Ledger;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.internal.history.BalanceModel;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.MachineTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One bucket, and callers of limiters who do with it what they are used to.
 *
 * @param bucket which
 * @param begin the bucket before the first of them came
 * @param time the clock of limiters and history
 */
record LimiterRun(LimiterBucket bucket, BucketState begin, MachineTime time) {
  /** Makes the bucket and takes {@code tokens} of it, which never come back. */
  static LimiterRun begin(
      BlockingStore store, LimiterBucket bucket, MachineTime time, Long... tokens) {
    try (RateLimiter limiter = RateLimiter.create(store, options(time).build())) {
      limiter.acquire(bucket.request(List.of(tokens))).close();
    }
    return new LimiterRun(bucket, Ledger.read(store, bucket.key()), time);
  }

  /** Long to wait, because a busy machine is not the subject. */
  static LimiterOptions.Builder options(MachineTime time) {
    return LimiterOptions.builder().time(time).timeout(Duration.ofMinutes(1));
  }

  /**
   * The callers of limiter i belong to process i; each does so many things. Where they look at the
   * bucket, somebody who is none of them looks on; that one looks in any case once after all.
   */
  History<BucketCall, BucketAnswer> record(
      List<Caller> limiters, int callers, Habits habits, int times, Caller watch) {
    HistoryRecorder<BucketCall, BucketAnswer> recorder = new HistoryRecorder<>();
    LimiterCaller watcher = new LimiterCaller(new CallerId("watch", 0), watch, bucket, recorder);
    Together.run(
        limiters.size() * callers + 1,
        number -> {
          if (number == limiters.size() * callers) {
            for (int i = 0; i < times && habits.looks(); i++) {
              watcher.look();
            }
            return;
          }
          int process = number % limiters.size();
          LimiterCaller caller =
              new LimiterCaller(
                  new CallerId("p" + process, number), limiters.get(process), bucket, recorder);
          habits.run(caller, bucket.limits().size(), new SplittableRandom(number), times);
        });
    watcher.look();
    return recorder.history();
  }

  List<BalanceModel> model(History<BucketCall, BucketAnswer> history) {
    return bucket.model(begin, time.msAt(history.lastNanos()));
  }
}
