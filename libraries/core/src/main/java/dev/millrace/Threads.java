package dev.millrace;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * How the threads of a limiter wait, and where it gets further ones. With {@link TimeSource} it is
 * everything by which a limiter depends on the machine, so a simulation that brings its own decides
 * who runs when.
 */
public interface Threads {
  /** Nanoseconds since some moment; never jumps. The time limits of waiting threads are in it. */
  long nanoTime();

  /**
   * Lets the calling thread wait until {@code event} is done, well or not.
   *
   * @param maxNanos how long at most
   * @return whether it is done
   */
  boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException;

  /**
   * At most {@code maxThreads} threads that belong to one limiter; those that are idle for long
   * end. A task that finds none free is rejected: it never queues.
   *
   * @param name what they are for, a part of the names of the threads
   */
  ExecutorService helpers(String name, int maxThreads);

  /** The machine's own threads. */
  static Threads system() {
    return SystemRuntime.INSTANCE;
  }
}
