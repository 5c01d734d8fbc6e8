package dev.millrace.simulator;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the machine that runs simulated ones. Only the carrier that has the baton runs, all
 * others are parked, so that a simulation is as deterministic as if it had one thread.
 */
final class Carrier {
  private final Thread thread;
  private volatile boolean baton;

  /** Whose work it does; null while it is idle. */
  @Nullable Fiber fiber;

  /** Where it works. */
  @Nullable Loop loop;

  /** Whether it runs an event and not its fiber: events must not wait. */
  boolean inEvent;

  /** The thread that calls. */
  Carrier() {
    this.thread = Thread.currentThread();
  }

  private Carrier(Carriers carriers) {
    this.thread = new CarrierThread(this, carriers);
  }

  /** A new one, without the baton. */
  static Carrier started(Carriers carriers) {
    Carrier carrier = new Carrier(carriers);
    carrier.thread.start();
    return carrier;
  }

  /** The carrier whose thread calls; null for any other thread. */
  static @Nullable Carrier current() {
    return Thread.currentThread() instanceof CarrierThread own ? own.carrier : null;
  }

  private static final class CarrierThread extends Thread {
    final Carrier carrier;

    CarrierThread(Carrier carrier, Carriers carriers) {
      super(() -> carriers.serve(carrier), "simulation-carrier");
      this.carrier = carrier;
      setDaemon(true);
    }
  }

  /** Gives it the baton; the caller must then wait for its own. */
  void run() {
    baton = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the baton. An interrupt of the simulated thread is kept. */
  void awaitBaton() {
    boolean interrupted = false;
    while (!baton) { // ends: when the simulation goes on with this one, or with its thread
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    baton = false;
    if (interrupted) {
      thread.interrupt();
    }
  }
}
