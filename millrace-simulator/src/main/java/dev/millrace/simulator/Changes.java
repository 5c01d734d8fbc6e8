package dev.millrace.simulator;

import dev.millrace.core.limit.LimitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operators have changed, and whether they are at it. */
final class Changes {
  private final long believedNanos;
  private final Switches switches = new Switches();
  private final Map<String, @Nullable LimitSet> limits = new HashMap<>();
  private int underWay;
  private long endedNanos = Long.MIN_VALUE;

  /**
   * No changes yet.
   *
   * @param believedNanos how long a process may go by what it looked up
   */
  Changes(long believedNanos) {
    this.believedNanos = believedNanos;
  }

  Switches switches() {
    return switches;
  }

  void begin() {
    underWay++;
  }

  void end(long nowNanos) {
    underWay--;
    endedNanos = nowNanos;
  }

  /** Whether processes may differ in what they believe. */
  boolean isUnsettled(long nowNanos) {
    return underWay > 0 || (endedNanos != Long.MIN_VALUE && nowNanos - endedNanos < believedNanos);
  }

  /** The limits that were set, null while nobody knows. */
  void limits(String entity, String resource, @Nullable LimitSet set) {
    limits.put(entity + "/" + resource, set);
  }

  /** The limits that were set, and are known to be. */
  Map<String, @Nullable LimitSet> limits() {
    return limits;
  }
}
