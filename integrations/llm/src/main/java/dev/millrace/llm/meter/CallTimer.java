package dev.millrace.llm.meter;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer that ends abandoned calls. A stream whose reader was lost would keep its reservation for
 * ever; that does not harm the limit, but the tenant.
 */
final class CallTimer implements AutoCloseable {
  /** Most calls with a timer; further ones keep their reservation if they are abandoned. */
  static final int MAX_WATCHED = 100_000;

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "millrace-llm-watch");
            thread.setDaemon(true);
            return thread;
          });

  CallTimer() {
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Ends {@code call} after {@code timeout} unless it has ended. */
  MeteredCall over(MeteredCall call, Duration timeout) {
    if (timer.getQueue().size() < MAX_WATCHED) {
      try {
        call.watchedBy(
            timer.schedule(
                () -> {
                  var unused = call.endQuietlyAsync(CallEnd.timedOut());
                },
                timeout.toMillis(),
                TimeUnit.MILLISECONDS));
      } catch (RejectedExecutionException e) {
        // closed: the call is its caller's to end
      }
    }
    return call;
  }

  @Override
  public void close() {
    timer.shutdown();
  }
}
