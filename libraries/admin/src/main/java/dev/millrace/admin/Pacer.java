package dev.millrace.admin;

/** A way to wait: between attempts, and to limit the rate of writes. */
@FunctionalInterface
public interface Pacer {
  /** Waits {@code ms}, which is positive. */
  void pause(long ms) throws InterruptedException;

  /** Lets the thread sleep. */
  static Pacer sleeping() {
    return Thread::sleep;
  }
}
