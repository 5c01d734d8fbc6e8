package dev.millrace.client.internal;

import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.request.Amounts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adjustments of one bucket that wait for the next write. Charges and refunds are summed apart: a
 * charge whose write is lost is sent again, a refund is not.
 */
final class Deferred {
  private @Nullable LimitSet limits;
  private @Nullable Terms terms;
  private long[] chargedMilli = {};
  private long[] refundedMilli = {};

  /** What {@link #add} asks of its caller. */
  enum Then {
    /** Nothing: somebody looks after it already. */
    NOTHING,
    /** See to it that it is written within the delay. */
    SCHEDULE,
    /** It does not go together with what waits: write it now. */
    WRITE_NOW
  }

  /** What held for the bucket when something was last added, null when nothing ever was. */
  synchronized @Nullable Terms terms() {
    return terms;
  }

  synchronized Then add(Terms current, Amounts amounts) {
    boolean first = limits == null;
    if (limits == null) {
      limits = amounts.limits();
      chargedMilli = new long[limits.size()];
      refundedMilli = new long[limits.size()];
    } else if (!limits.equals(amounts.limits())) {
      return Then.WRITE_NOW;
    }
    terms = current;
    for (int i = 0; i < chargedMilli.length; i++) {
      long milli = amounts.milli(i);
      chargedMilli[i] = SaturatedMath.add(chargedMilli[i], Math.max(0, milli));
      refundedMilli[i] = SaturatedMath.add(refundedMilli[i], Math.min(0, milli));
    }
    return first ? Then.SCHEDULE : Then.NOTHING;
  }

  /** Everything that waits, when it is about {@code wanted}; null stands for any limits. */
  synchronized List<Amounts> take(@Nullable LimitSet wanted) {
    if (limits == null || (wanted != null && !limits.equals(wanted))) {
      return List.of();
    }
    List<Amounts> taken = new ArrayList<>(2);
    for (Amounts sum :
        List.of(Amounts.ofMilli(limits, chargedMilli), Amounts.ofMilli(limits, refundedMilli))) {
      if (!sum.isEmpty()) {
        taken.add(sum);
      }
    }
    limits = null;
    return taken;
  }
}
