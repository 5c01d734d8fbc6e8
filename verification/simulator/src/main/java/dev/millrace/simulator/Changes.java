package dev.millrace.simulator;

import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of operators, finished and under way. */
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

  /**
   * What operators were told to be done is not taken back: no process brings a bucket that has the
   * limits, or the switch, that were set last back to what it had before.
   */
  void requireKept(TableWrite write) {
    BucketState before = write.before();
    BucketState after = write.after();
    if (before == null || after == null || write.source() != TableWrite.Source.CLIENT) {
      return;
    }
    String entity = write.key().entityId();
    LimitSet set = limits.get(entity + "/" + write.key().resource());
    if (set != null && before.covers(set) && !after.covers(set)) {
      throw takenBack(write, "limits " + set);
    }
    boolean off = before.stamp().disabled();
    if (off != after.stamp().disabled() && switches.isKnownToBe(entity, off)) {
      throw takenBack(write, off ? "switch: off" : "switch: on");
    }
  }

  private static Violation takenBack(TableWrite write, String what) {
    return new Violation(
        Promise.CHANGES_ARRIVE,
        write.writer()
            + " takes a finished change back, the "
            + what
            + "\n  before "
            + write.before()
            + "\n  after  "
            + write.after());
  }
}
