package dev.millrace.simulator;

import java.util.ArrayDeque;
import java.util.Objects;

/**
 * Carriers that wait for work, kept from one simulation to the next: starting a thread takes longer
 * than simulating a request. For one simulation at a time.
 */
public final class Carriers implements AutoCloseable {
  private final ArrayDeque<Carrier> idle = new ArrayDeque<>();
  private int started;
  private boolean closed;

  /** Takes an idle carrier, or a new one. */
  Carrier take() {
    Carrier carrier = idle.poll();
    if (carrier == null) {
      started++;
      carrier = Carrier.started(this);
    }
    return carrier;
  }

  /** Puts a carrier away that is about to give the baton on. */
  void rest(Carrier carrier) {
    carrier.loop = null;
    idle.push(carrier);
  }

  /** How many threads were ever needed. */
  public int started() {
    return started;
  }

  /** What a carrier does all its life. */
  void serve(Carrier self) {
    self.awaitBaton();
    while (!closed) { // ends: when the pool is closed
      Fiber fiber = self.fiber;
      Loop loop = Objects.requireNonNull(self.loop);
      if (fiber != null) {
        loop.runFiber(self, fiber);
      }
      self.fiber = null;
      loop.pumpIdle(self);
    }
    Carrier next = idle.poll();
    if (next != null) {
      next.run();
    }
  }

  /** Lets all threads end. Each wakes the next, so that only one of them runs here too. */
  @Override
  public void close() {
    closed = true;
    Carrier first = idle.poll();
    if (first != null) {
      first.run();
    }
  }
}
