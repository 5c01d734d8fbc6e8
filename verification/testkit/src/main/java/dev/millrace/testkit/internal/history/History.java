package dev.millrace.testkit.internal.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Operations on one object, recorded with one clock.
 *
 * @param operations in the order in which they were invoked
 */
public record History<Q, A>(List<Operation<Q, A>> operations) {
  /** Brings them into order. */
  public History {
    List<Operation<Q, A>> sorted = new ArrayList<>(operations);
    sorted.sort(Comparator.comparingLong(Operation::invokedNanos));
    operations = List.copyOf(sorted);
  }

  /** How many operations. */
  public int size() {
    return operations.size();
  }

  /** When the first one was invoked, 0 for an empty history. */
  public long firstNanos() {
    return operations.isEmpty() ? 0 : operations.get(0).invokedNanos();
  }

  /** When the last one was over, 0 for an empty history. */
  public long lastNanos() {
    return operations.stream().mapToLong(Operation::returnedNanos).max().orElse(0);
  }

  /** This history and {@code other}, recorded with the same clock. */
  public History<Q, A> and(History<Q, A> other) {
    List<Operation<Q, A>> both = new ArrayList<>(operations);
    both.addAll(other.operations());
    return new History<>(both);
  }
}
