package dev.millrace.simulator;

import java.util.HashMap;
import java.util.Map;

/**
 * Which processes come back to an entity for which they have not asked since it was changed, and
 * since several other levels were changed after that: what they know is of different ages.
 */
final class Absences {
  private static final int SEVERAL = 2;

  private final Map<String, Long> askedNanos = new HashMap<>();

  /** How many changes of other levels there were since an entity was last changed. */
  private final Map<String, Integer> othersSince = new HashMap<>();

  private final Map<String, Long> changedNanos = new HashMap<>();

  /** The limits or the switch of an entity are changed. */
  void changed(String entity, long nowNanos) {
    changedNanos.put(entity, nowNanos);
    othersSince.put(entity, 0);
  }

  /** Another level is changed. */
  void changedOther() {
    othersSince.replaceAll((entity, count) -> count + 1);
  }

  /** A process asks for an entity; whether it was away while that and several levels changed. */
  boolean isBack(String node, String entity, long nowNanos) {
    Long before = askedNanos.put(node + "/" + entity, nowNanos);
    Long changed = changedNanos.get(entity);
    return before != null
        && changed != null
        && before < changed
        && othersSince.getOrDefault(entity, 0) >= SEVERAL;
  }
}
