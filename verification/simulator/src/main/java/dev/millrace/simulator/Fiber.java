package dev.millrace.simulator;

import org.jspecify.annotations.Nullable;

/** A simulated thread: runs until it waits, and never beside another one. */
final class Fiber {
  private final Runnable body;
  @Nullable Carrier carrier;

  /** Which of its waits is the present one, so that a late wake-up of an earlier one is ignored. */
  long wait;

  boolean waiting;
  boolean killed;
  boolean interrupted;

  Fiber(Runnable body) {
    this.body = body;
  }

  void run() {
    if (!killed) {
      body.run();
    }
  }
}
