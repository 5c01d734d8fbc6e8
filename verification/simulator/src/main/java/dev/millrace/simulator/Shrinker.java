package dev.millrace.simulator;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.simulator.oracle.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failing history shorter, as long as it fails in the same way: takes actions away in ever
 * smaller parts, then makes those that are left simpler. Every attempt is a whole simulation, which
 * takes milliseconds.
 */
public final class Shrinker {
  /** Most simulations for one history. */
  private static final int MAX_RUNS = 3_000;

  private static final long NANOS_PER_MICRO = 1_000;

  private final Carriers carriers;
  private final UnaryOperator<StoreCall> tampering;
  private final String failure;
  private int runs;

  private Shrinker(Carriers carriers, UnaryOperator<StoreCall> tampering, String failure) {
    this.carriers = carriers;
    this.tampering = tampering;
    this.failure = failure;
  }

  /** The shortest history found that fails like {@code failing}; itself when it does not fail. */
  public static Scenario shrink(Scenario failing, Carriers carriers) {
    return shrink(failing, carriers, UnaryOperator.identity());
  }

  /** The same on a table that does not do what it is told. */
  static Scenario shrink(Scenario failing, Carriers carriers, UnaryOperator<StoreCall> tampering) {
    Report report = Simulation.run(failing, carriers, Trace.off(), tampering);
    if (report.isGood()) {
      return failing;
    }
    Shrinker shrinker = new Shrinker(carriers, tampering, kind(report.failure()));
    return shrinker.shortened(shrinker.cut(failing, report));
  }

  private static String kind(@Nullable Throwable thrown) {
    if (thrown instanceof Violation violation) {
      return violation.promise().name();
    }
    return thrown == null ? "" : thrown.getClass().getName();
  }

  private boolean fails(Scenario candidate) {
    if (runs >= MAX_RUNS) {
      return false;
    }
    runs++;
    Report report = Simulation.run(candidate, carriers, Trace.off(), tampering);
    return kind(report.failure()).equals(failure);
  }

  /** Without what comes after the failure. */
  private Scenario cut(Scenario failing, Report report) {
    List<Action> before =
        failing.actions().stream()
            .filter(action -> action.atMicros() * NANOS_PER_MICRO <= report.nanos())
            .sorted(Comparator.comparingLong(Action::atMicros))
            .toList();
    Scenario cut = failing.with(before);
    return fails(cut) ? cut : failing;
  }

  private Scenario shortened(Scenario scenario) {
    Scenario best = scenario;
    int before;
    do { // ends: every round makes it shorter, or is the last
      before = best.actions().size();
      best = withoutParts(best);
      best = simpler(best);
      best = calmer(best);
    } while (best.actions().size() < before && runs < MAX_RUNS);
    return best;
  }

  /** Takes parts away, from halves down to single actions. */
  private Scenario withoutParts(Scenario scenario) {
    Scenario best = scenario;
    int size = Math.max(1, best.actions().size() / 2);
    while (true) { // ends: the size halves, and at one it ends
      int from = 0;
      while (from < best.actions().size()) { // ends: either the list gets shorter or from grows
        List<Action> rest = new ArrayList<>(best.actions());
        rest.subList(from, Math.min(rest.size(), from + size)).clear();
        Scenario candidate = best.with(rest);
        if (fails(candidate)) {
          best = candidate;
        } else {
          from += size;
        }
      }
      if (size == 1) {
        return best;
      }
      size /= 2;
    }
  }

  private Scenario simpler(Scenario scenario) {
    Scenario best = scenario;
    List<UnaryOperator<Action.Ask>> ways =
        List.of(
            ask -> change(ask, Map.of(), Map.of(), Action.End.LEAVE_OPEN, 0, 0),
            ask -> change(ask, Map.of(), Map.of(), ask.end(), 0, ask.maxWaitMs()),
            ask -> change(ask, ask.adjust(), Map.of(), ask.end(), 0, ask.maxWaitMs()),
            ask -> change(ask, ask.adjust(), ask.more(), ask.end(), ask.giveUpMicros(), 0));
    for (int i = 0; i < best.actions().size(); i++) {
      for (UnaryOperator<Action.Ask> way : ways) {
        if (best.actions().get(i) instanceof Action.Ask ask) {
          Action.Ask changed = way.apply(ask);
          if (!changed.equals(ask)) {
            List<Action> actions = new ArrayList<>(best.actions());
            actions.set(i, changed);
            Scenario candidate = best.with(actions);
            best = fails(candidate) ? candidate : best;
          }
        }
      }
    }
    return best;
  }

  private static Action.Ask change(
      Action.Ask ask,
      Map<String, Long> adjust,
      Map<String, Long> more,
      Action.End end,
      long giveUpMicros,
      long maxWaitMs) {
    return new Action.Ask(
        ask.atMicros(),
        ask.node(),
        ask.entity(),
        ask.tokens(),
        ask.limits(),
        ask.blocking(),
        ask.consistency(),
        maxWaitMs,
        giveUpMicros,
        ask.holdMicros(),
        adjust,
        more,
        end);
  }

  /** The same in fair weather. */
  private Scenario calmer(Scenario scenario) {
    SimulatedWorld setting = scenario.setting();
    Scenario candidate = scenario.in(setting.in(Weather.fair(setting.weather().halfTripMicros())));
    return fails(candidate) ? candidate : scenario;
  }
}
