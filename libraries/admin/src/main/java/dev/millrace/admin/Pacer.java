package dev.millrace.admin;

/** How the administration waits: between tries, and so as not to write faster than it may. */
@FunctionalInterface
public interface Pacer {
  /** Waits {@code ms}, which is positive. */
  void pause(long ms) throws InterruptedException;

  /** Lets the thread sleep. */
  static Pacer sleeping() {
    return Thread::sleep;
  }
}
