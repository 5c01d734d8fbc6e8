package dev.millrace.core.plan;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.SaturatedMath;

/** What a write does to one limit of a projection, and what it demands of the balance it meets. */
final class LimitChanges {
  private LimitChanges() {}

  /** Consumes without claiming. */
  static LimitChange consume(Projection projection, int index) {
    long settledMilli = projection.settledMilli(index);
    long takenMilli = SaturatedMath.add(projection.acquiredMilli(index), settledMilli);
    Limit limit = projection.limits().get(index);
    if (!projection.isNamed(index) || limit.soft()) {
      return LimitChange.unconditional(limit.name(), -takenMilli, takenMilli);
    }
    return new LimitChange(
        limit.name(),
        -takenMilli,
        takenMilli,
        takenMilli,
        SaturatedMath.add(projection.ceilingMilli(index), settledMilli));
  }

  /** Claims the credit and consumes. */
  static LimitChange locked(
      Projection projection, int index, LimitState stored, boolean contended) {
    long readMilli = stored.tokensMilli();
    long creditMilli =
        stored.creditMilli(
            projection.share(), projection.state().refilledAtMs(), projection.refilledAtMs());
    long settledMilli = projection.settledMilli(index);
    long takenMilli = SaturatedMath.add(projection.acquiredMilli(index), settledMilli);
    long addMilli = SaturatedMath.subtract(projection.balanceMilli(index), readMilli);
    boolean clipped = addMilli != SaturatedMath.subtract(creditMilli, takenMilli);
    Limit limit = projection.limits().get(index);
    boolean named = projection.isNamed(index);
    if (clipped && !contended) {
      // What is above the ceiling of a soft limit may be spent: it is charged like any other.
      boolean exactly = named && !limit.soft();
      return new LimitChange(
          stored.name(),
          addMilli,
          takenMilli,
          readMilli,
          exactly ? readMilli : LimitChange.NO_CEILING);
    }
    if (limit.soft()) {
      return LimitChange.unconditional(stored.name(), addMilli, takenMilli);
    }
    if (clipped && named) {
      return new LimitChange(
          stored.name(), addMilli, takenMilli, SaturatedMath.subtract(0, addMilli), readMilli);
    }
    if (!named) {
      // What is cut off above a lower ceiling was there when it was read. Were it spent by now, the
      // cut would leave a debt that nobody made.
      boolean cuts = SaturatedMath.add(addMilli, takenMilli) < 0;
      long minMilli =
          cuts ? Math.min(readMilli, SaturatedMath.subtract(0, addMilli)) : LimitChange.NO_FLOOR;
      return new LimitChange(stored.name(), addMilli, takenMilli, minMilli, LimitChange.NO_CEILING);
    }
    return new LimitChange(
        stored.name(),
        addMilli,
        takenMilli,
        SaturatedMath.subtract(takenMilli, creditMilli),
        SaturatedMath.add(
            SaturatedMath.subtract(projection.ceilingMilli(index), creditMilli), settledMilli));
  }
}
