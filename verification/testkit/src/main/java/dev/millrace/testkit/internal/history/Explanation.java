package dev.millrace.testkit.internal.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a search, to name the point where a history breaks: the operation that no order
 * lets take effect in time although everything that returned before it can be explained. The
 * shortest beginning of the history that is not linearisable ends with its return.
 */
final class Explanation<S, Q, A> {
  /** Most states that are shown. */
  private static final int MAX_STATES = 6;

  /** Most operations that are shown as having taken effect last. */
  private static final int MAX_LAST = 8;

  /** Most operations that are shown as having been under way. */
  private static final int MAX_AROUND = 24;

  /** Longest text for what was asked or answered. */
  private static final int MAX_TEXT = 400;

  private static final double NANOS_PER_MS = 1e6;

  private final List<Operation<Q, A>> operations;
  private final long originNanos;
  private final Set<S> states = new LinkedHashSet<>();
  private long furthestNanos = Long.MIN_VALUE;
  private int culprit;
  private BitSet done = new BitSet();
  private List<Integer> last = List.of();
  private boolean moreStates;

  Explanation(List<Operation<Q, A>> operations, long originNanos) {
    this.operations = operations;
    this.originNanos = originNanos;
  }

  /** The search is at a place from which it may not come further. */
  void reached(PendingOperations pending, BitSet taken, List<Integer> order, S state) {
    long horizonNanos = pending.horizonNanos();
    if (horizonNanos < furthestNanos || horizonNanos == PendingOperations.NEVER) {
      return;
    }
    if (horizonNanos > furthestNanos) {
      furthestNanos = horizonNanos;
      culprit = pending.mostUrgent();
      done = (BitSet) taken.clone();
      last = List.copyOf(order.subList(Math.max(0, order.size() - MAX_LAST), order.size()));
      states.clear();
      moreStates = false;
    }
    if (states.size() < MAX_STATES) {
      states.add(state);
    } else {
      moreStates |= !states.contains(state);
    }
  }

  LinearisabilityVerdict.Broken broken(int configurations) {
    String text = "no order explains the answer to\n" + line(culprit, ' ') + details();
    return new LinearisabilityVerdict.Broken(configurations, operations.get(culprit), text);
  }

  LinearisabilityVerdict.Undecided undecided(int configurations) {
    String text =
        "not decided: gave up after "
            + configurations
            + " configurations; came no further than to\n"
            + line(culprit, ' ')
            + details();
    return new LinearisabilityVerdict.Undecided(configurations, text);
  }

  private String details() {
    StringBuilder text = new StringBuilder();
    text.append("in any of the states reached by then:\n");
    states.forEach(state -> text.append("    ").append(shortened(state)).append('\n'));
    text.append(moreStates ? "    and others\n" : "");
    text.append(
        "under way at that time (+ took effect on the way to the first of these states):\n");
    around().forEach(index -> text.append(line(index, done.get(index) ? '+' : ' ')));
    text.append("took effect last on that way:\n");
    last.forEach(index -> text.append(line(index, '+')));
    return text.toString();
  }

  /** Those that overlap the culprit, the last ones when there are many. */
  private List<Integer> around() {
    List<Integer> around = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      if (i != culprit && operations.get(i).overlaps(operations.get(culprit))) {
        around.add(i);
      }
    }
    return around.subList(Math.max(0, around.size() - MAX_AROUND), around.size());
  }

  private String line(int index, char mark) {
    Operation<Q, A> op = operations.get(index);
    return String.format(
        Locale.ROOT,
        "  %c %-8s %12.3f to %12.3f ms  %s -> %s%n",
        mark,
        op.who(),
        (op.invokedNanos() - originNanos) / NANOS_PER_MS,
        (op.returnedNanos() - originNanos) / NANOS_PER_MS,
        shortened(op.asked()),
        op.isUnknown() ? "not known" : shortened(op.answered()));
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
  }
}
