package dev.millrace.worker.regions;

import dev.millrace.regions.CycleReport;
import dev.millrace.regions.RegionExchange;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The windows of the exchange between regions, run on a thread of their own. */
public final class RegionLoop implements AutoCloseable {
  private static final long STOP_MS = 15_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "regions");
            made.setDaemon(true);
            return made;
          });

  private RegionLoop() {}

  /**
   * Begins after a random delay, so that workers that are started together do not stay together. A
   * window that fails is reported, and the next one is run all the same.
   */
  public static RegionLoop start(
      RegionExchange exchange,
      Duration window,
      Consumer<CycleReport> reports,
      Consumer<RuntimeException> failures) {
    RegionLoop loop = new RegionLoop();
    long windowMs = window.toMillis();
    var unused =
        loop.thread.scheduleAtFixedRate(
            () -> {
              try {
                reports.accept(exchange.cycle());
              } catch (RuntimeException e) { // else there would be no next window
                failures.accept(e);
              }
            },
            ThreadLocalRandom.current().nextLong(Math.max(1, windowMs / 10)),
            windowMs,
            TimeUnit.MILLISECONDS);
    return loop;
  }

  /** Whether windows go on. */
  public boolean isRunning() {
    return !thread.isShutdown();
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
