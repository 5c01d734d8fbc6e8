package dev.millrace.benchmarks.scenario;

import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The load as far as the user chose it; scenarios have their own defaults.
 *
 * @param processes how many limiters share the store
 * @param threads blocking callers
 * @param callers asynchronous callers
 * @param rate requests a second of each process
 * @param children entities that have the same parent
 * @param depth ancestors of each of them
 * @param transactional whether a request writes all its buckets in one transaction
 * @param grouping whether requests of one process share writes
 */
public record ChosenLoad(
    OptionalInt processes,
    OptionalInt threads,
    OptionalInt callers,
    OptionalDouble rate,
    OptionalInt children,
    OptionalInt depth,
    boolean transactional,
    boolean grouping) {
  /** Nothing chosen. */
  public static final ChosenLoad DEFAULT =
      new ChosenLoad(
          OptionalInt.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          /* transactional= */ false,
          /* grouping= */ true);

  /** What the user has set. */
  public Set<Knob> turned() {
    Set<Knob> turned = EnumSet.noneOf(Knob.class);
    if (processes.isPresent()) {
      turned.add(Knob.PROCESSES);
    }
    if (threads.isPresent()) {
      turned.add(Knob.THREADS);
    }
    if (callers.isPresent()) {
      turned.add(Knob.CALLERS);
    }
    if (rate.isPresent()) {
      turned.add(Knob.RATE);
    }
    if (children.isPresent()) {
      turned.add(Knob.CHILDREN);
    }
    if (depth.isPresent()) {
      turned.add(Knob.DEPTH);
    }
    if (transactional) {
      turned.add(Knob.TRANSACTIONAL);
    }
    if (!grouping) {
      turned.add(Knob.GROUPING);
    }
    return turned;
  }
}
