package dev.millrace.testkit.internal.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a history of one object is linearisable: whether each operation can be given a
 * moment between its invocation and its return such that, carried out one after the other in that
 * order, all of them are answered as they were (Herlihy and Wing, 1990).
 *
 * <p>The search is Wing and Gong's: of the operations that nothing pending must precede, let one
 * take effect that the specification lets, and go on; where none is left, go back. With Lowe's
 * memory of the configurations seen, a set of operations and the state they led to are looked at
 * once however many orders lead there. Three observations keep it small:
 *
 * <ul>
 *   <li>An operation that may take effect now and changes nothing does so at once. Every order in
 *       which it comes later stays one when it is moved to the front.
 *   <li>Of operations whose outcome is not known and that ask the same, the one that was invoked
 *       first takes effect first. They can be exchanged, and none has a deadline.
 *   <li>The one that returned first is tried first. It is mostly right, and a history that is
 *       linearisable is then read through once.
 * </ul>
 *
 * <p>The search is exponential in the number of callers at worst. It looks at a bounded number of
 * configurations; running out of it is an answer of its own, and not a good one.
 */
public final class Linearisability {
  /** Most configurations that are looked at unless told otherwise. */
  public static final int MAX_CONFIGURATIONS = 400_000;

  private Linearisability() {}

  /** Fails, and says why, unless {@code history} is linearisable. */
  public static <S, Q, A> LinearisabilityVerdict.Linearisable require(
      History<Q, A> history, Specification<S, Q, A> specification) {
    return require(check(history, specification, MAX_CONFIGURATIONS));
  }

  /** Fails, and says why, unless {@code verdict} is a good one. */
  static LinearisabilityVerdict.Linearisable require(LinearisabilityVerdict verdict) {
    if (verdict instanceof LinearisabilityVerdict.Broken broken) {
      throw new AssertionError(broken.explanation());
    }
    if (verdict instanceof LinearisabilityVerdict.Undecided undecided) {
      throw new AssertionError(undecided.explanation());
    }
    return (LinearisabilityVerdict.Linearisable) verdict;
  }

  /** Decides. */
  public static <S, Q, A> LinearisabilityVerdict check(
      History<Q, A> history, Specification<S, Q, A> specification) {
    return check(history, specification, MAX_CONFIGURATIONS);
  }

  /** Decides, looking at no more than {@code maxConfigurations}. */
  public static <S, Q, A> LinearisabilityVerdict check(
      History<Q, A> history, Specification<S, Q, A> specification, int maxConfigurations) {
    return new Search<>(history, specification, maxConfigurations).run();
  }

  /** An operation that can take effect, and the state that it leads to. */
  private record Move<S>(int index, S state) {}

  /**
   * A place in the search.
   *
   * @param taken the operations that took effect on the way here from the place before
   * @param state the state they led to
   * @param moves what can happen next
   */
  private record TablePosition<S>(List<Integer> taken, S state, Deque<Move<S>> moves) {}

  private static final class Search<S, Q, A> {
    private final Specification<S, Q, A> specification;
    private final int maxConfigurations;
    private final List<Operation<Q, A>> operations;
    private final PendingOperations pending;
    private final int[] kinds;
    private final BitSet done = new BitSet();
    private final List<Integer> order = new ArrayList<>();
    private final Set<Configuration> seen = new HashSet<>();
    private final Explanation<S, Q, A> explanation;

    Search(History<Q, A> history, Specification<S, Q, A> specification, int maxConfigurations) {
      this.specification = specification;
      this.maxConfigurations = maxConfigurations;
      this.operations = new ArrayList<>(history.operations());
      operations.sort(Comparator.comparingLong(specification::earliestNanos));
      this.pending =
          new PendingOperations(
              operations.stream().mapToLong(specification::earliestNanos).toArray(),
              operations.stream()
                  .mapToLong(op -> op.isUnknown() ? PendingOperations.NEVER : op.returnedNanos())
                  .toArray());
      this.kinds = kinds(operations);
      this.explanation = new Explanation<>(operations, history.firstNanos());
    }

    /** A number for each operation, the same for those that ask the same. */
    private static <Q, A> int[] kinds(List<Operation<Q, A>> operations) {
      Map<Q, Integer> numbers = new HashMap<>();
      return operations.stream()
          .mapToInt(op -> numbers.computeIfAbsent(op.asked(), asked -> numbers.size()))
          .toArray();
    }

    LinearisabilityVerdict run() {
      Deque<TablePosition<S>> path = new ArrayDeque<>();
      TablePosition<S> begin = place(new ArrayList<>(), specification.initial());
      path.push(begin);
      while (pending.mostUrgent() != pending.end()) {
        TablePosition<S> here = path.element();
        Move<S> move = here.moves().poll();
        if (move == null) {
          path.pop();
          leave(here);
          if (path.isEmpty()) {
            return explanation.broken(seen.size());
          }
          continue;
        }
        if (seen.size() >= maxConfigurations) {
          return explanation.undecided(seen.size());
        }
        List<Integer> taken = new ArrayList<>();
        take(move.index(), taken);
        TablePosition<S> there = place(taken, move.state());
        if (seen.add(new Configuration(done, there.state()))) {
          path.push(there);
        } else {
          leave(there);
        }
      }
      return new LinearisabilityVerdict.Linearisable(seen.size());
    }

    /** Where {@code state} leads to: what changes nothing happens at once. */
    private TablePosition<S> place(List<Integer> taken, S state) {
      List<Move<S>> moves = new ArrayList<>();
      long horizonNanos;
      do {
        horizonNanos = pending.horizonNanos();
        moves.clear();
        BitSet unknownKinds = new BitSet();
        for (int i = pending.first(); i != pending.end() && pending.mayGoNow(i); ) {
          int next = pending.next(i);
          S after = after(state, i, unknownKinds);
          if (after != null && after.equals(state)) {
            if (!pending.isOptional(i)) {
              take(i, taken);
            }
          } else if (after != null) {
            moves.add(new Move<>(i, after));
          }
          i = next;
        }
      } while (pending.horizonNanos() != horizonNanos); // more may go now
      explanation.reached(pending, done, order, state);
      moves.sort(Comparator.comparingLong(move -> pending.deadlineNanos(move.index())));
      return new TablePosition<>(taken, state, new ArrayDeque<>(moves));
    }

    private @Nullable S after(S state, int index, BitSet unknownKinds) {
      if (pending.isOptional(index)) {
        if (unknownKinds.get(kinds[index])) {
          return null; // its twin was invoked before it
        }
        unknownKinds.set(kinds[index]);
      }
      return specification.after(state, operations.get(index));
    }

    private void take(int index, List<Integer> taken) {
      pending.take(index);
      done.set(index);
      order.add(index);
      taken.add(index);
    }

    private void leave(TablePosition<S> place) {
      List<Integer> taken = place.taken();
      for (int i = taken.size() - 1; i >= 0; i--) {
        int index = taken.get(i);
        pending.putBack(index);
        done.clear(index);
        order.remove(order.size() - 1);
      }
    }
  }
}
