package dev.millrace.simulator;

import java.util.HashMap;
import java.util.Map;

/** What operators know about who is switched off. */
final class Switches {
  private static final class State {
    boolean everOff;
    boolean off;
    boolean known = true;
    long sinceNanos;
  }

  private final Map<String, State> states = new HashMap<>();

  void changing(String entity, boolean on) {
    State state = states.computeIfAbsent(entity, absent -> new State());
    state.known = false;
    state.everOff |= !on;
  }

  void changed(String entity, boolean on, boolean known, long nowNanos) {
    State state = states.computeIfAbsent(entity, absent -> new State());
    state.off = !on;
    state.known = known;
    state.sinceNanos = nowNanos;
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
