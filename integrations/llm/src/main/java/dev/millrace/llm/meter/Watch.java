package dev.millrace.llm.meter;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends calls that nobody ends. A stream whose reader was lost would keep its reservation for ever;
 * that is no harm to the limit, and an injustice to the tenant.
 */
final class Watch implements AutoCloseable {
  /** Most calls that are watched; of further ones the reservation stays if they are lost. */
  static final int MAX_WATCHED = 100_000;

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "millrace-llm-watch");
            thread.setDaemon(true);
            return thread;
          });

  Watch() {
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
