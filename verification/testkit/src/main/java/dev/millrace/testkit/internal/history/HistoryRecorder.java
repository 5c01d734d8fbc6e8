package dev.millrace.testkit.internal.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of the calls of a test and of their answers. The clock is {@link System#nanoTime}: one
 * for all threads of a process, and on the platforms where it counts from a moment of the machine,
 * one for all processes ({@link MachineTime}). Safe for use by many threads.
 */
public final class HistoryRecorder<Q, A> {
  private final List<Operation<Q, A>> operations = new ArrayList<>();

  /** Asks, and writes down the answer; null stands for one that is not known. */
  public @Nullable A record(CallerId who, Q asked, Supplier<? extends @Nullable A> ask) {
    long invokedNanos = System.nanoTime();
    A answered = ask.get();
    add(new Operation<>(who, invokedNanos, System.nanoTime(), asked, answered));
    return answered;
  }

  /** Writes down an operation. */
  public void add(Operation<Q, A> operation) {
    synchronized (operations) {
      operations.add(operation);
    }
  }

  /** What was written down so far. */
  public History<Q, A> history() {
    synchronized (operations) {
      return new History<>(operations);
    }
  }
}
