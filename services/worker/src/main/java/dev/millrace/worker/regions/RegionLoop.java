package dev.millrace.worker.regions;

import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.RegionExchange;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes part in the exchange, window by window, on a thread of its own. A window that fails is
 * told, and the next one comes all the same.
 */
public final class RegionLoop implements AutoCloseable {
  private static final long STOP_MS = 15_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "regions");
            made.setDaemon(true);
            return made;
          });
  private final RegionExchange exchange;
  private final Consumer<CycleReport> reports;
  private final Consumer<RuntimeException> failures;

  private RegionLoop(
      RegionExchange exchange, Consumer<CycleReport> reports, Consumer<RuntimeException> failures) {
    this.exchange = exchange;
    this.reports = reports;
    this.failures = failures;
  }

  /**
   * Begins. The first window comes after a moment of chance, so that workers that are started
   * together do not stay together.
   */
  public static RegionLoop start(
      RegionExchange exchange,
      Duration window,
      Consumer<CycleReport> reports,
      Consumer<RuntimeException> failures) {
    RegionLoop loop = new RegionLoop(exchange, reports, failures);
    long windowMs = window.toMillis();
    ScheduledExecutorService thread = loop.thread;
    var unused =
        thread.scheduleAtFixedRate(
            loop::cycle,
            ThreadLocalRandom.current().nextLong(Math.max(1, windowMs / 10)),
            windowMs,
            TimeUnit.MILLISECONDS);
    return loop;
  }

  private void cycle() {
    try {
      reports.accept(exchange.cycle());
    } catch (RuntimeException e) { // else there would be no next window
      failures.accept(e);
    }
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
