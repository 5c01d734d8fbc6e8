package dev.millrace.simulator;

import dev.millrace.TimeSource;
import java.util.concurrent.CompletableFuture;

/** The time of one life of a process. */
final class SimTime implements TimeSource {
  private static final long NANOS_PER_MS = 1_000_000;

  private final Loop loop;
  private final Clock clock;
  private final Life life;
  private int timers;

  SimTime(Loop loop, Clock clock, Life life) {
    this.loop = loop;
    this.clock = clock;
    this.life = life;
  }

  @Override
  public long nowMs() {
    return clock.nowMs();
  }

  @Override
  public long elapsedMs() {
    return clock.elapsedMs();
  }

  @Override
  public CompletableFuture<Void> after(long delayMs) {
    CompletableFuture<Void> timer = new CompletableFuture<>();
    timers++;
    CompletableFuture<Void> unused = timer.whenComplete((done, never) -> timers--);
    // A timer never goes off early, and mostly a little late.
    loop.after(
        Math.max(0, delayMs) * NANOS_PER_MS + life.chance().below(NANOS_PER_MS),
        () -> {
          if (life.isAlive()) {
            timer.complete(null);
          }
        });
    return timer;
  }

  /** How many timers have not gone off. */
  int timers() {
    return timers;
  }
}
