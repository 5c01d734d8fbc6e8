package dev.millrace.simulator;

import java.util.HashMap;
import java.util.Map;

/** The entities and resources that operators have switched off. */
final class Switches {
  private static final class State {
    boolean everOff;
    boolean off;
    boolean known = true;

    /** Whether a change that was given up may yet be made: nothing has been written since. */
    boolean open;

    long sinceNanos;
  }

  private final Map<String, State> states = new HashMap<>();

  void changing(String entity, boolean on) {
    State state = states.computeIfAbsent(entity, absent -> new State());
    state.known = false;
    state.everOff |= !on;
  }

  /**
   * A change has ended.
   *
   * @param known whether it is made; one that is not may come through long after it was given up
   * @param wrote whether it wrote the entity, so that nothing older can be made any more; one that
   *     found it as it should be does not
   */
  void changed(String entity, boolean on, boolean known, boolean wrote, long nowNanos) {
    State state = states.computeIfAbsent(entity, absent -> new State());
    state.off = !on;
    state.open = !known || (state.open && !wrote);
    state.known = known && !state.open;
    state.sinceNanos = nowNanos;
  }

  /** Whether it was switched, and operators know that it is off, or on. */
  boolean isKnownToBe(String entity, boolean off) {
    State state = states.get(entity);
    return state != null && state.known && state.off == off;
  }

  /** Whether it is known to have been off for that long. */
  boolean isOffFor(String entity, long nanos, long nowNanos) {
    State state = states.get(entity);
    return state != null && state.known && state.off && nowNanos - state.sinceNanos >= nanos;
  }

  /** Whether it can never have been seen off. */
  boolean isSurelyOn(String entity, long nanos, long nowNanos) {
    State state = states.get(entity);
    return state == null
        || !state.everOff
        || (state.known && !state.off && nowNanos - state.sinceNanos >= nanos);
  }
}
