package dev.millrace.client.internal.shard;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.internal.SaturatedMath;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sum of the amounts that several requests want of each limit of each bucket. */
public final class AmountsAhead {
  /** Nothing. */
  public static final AmountsAhead NONE = new AmountsAhead();

  /** A limit by its name: requests may bring different sets of limits for one bucket. */
  private record Part(BucketKey key, String limit) {}

  /** An amount, and how many requests it is of. */
  private static final class Sum {
    private long milli;
    private int requests;
  }

  private final Map<Part, Sum> sums = new HashMap<>();

  public void add(ResolvedRequest prepared) {
    for (Leg leg : prepared.legs()) {
      LimitSet limits = leg.terms().limits();
      for (int i = 0; i < limits.size(); i++) {
        Sum sum = sums.computeIfAbsent(part(leg, i), absent -> new Sum());
        sum.milli = SaturatedMath.add(sum.milli, leg.amounts().milli(i));
        sum.requests++;
      }
    }
  }

  /** Subtracts what was added. */
  public void remove(ResolvedRequest prepared) {
    for (Leg leg : prepared.legs()) {
      for (int i = 0; i < leg.terms().limits().size(); i++) {
        Sum sum = sums.get(part(leg, i));
        if (sum != null && --sum.requests == 0) {
          sums.remove(part(leg, i));
        } else if (sum != null) {
          sum.milli -= leg.amounts().milli(i);
        }
      }
    }
  }

  /** The sums of the limits of {@code leg}, null when there is none. */
  public @Nullable Amounts of(Leg leg) {
    if (sums.isEmpty()) {
      return null;
    }
    LimitSet limits = leg.terms().limits();
    long[] milli = new long[limits.size()];
    boolean any = false;
    for (int i = 0; i < milli.length; i++) {
      Sum sum = sums.get(part(leg, i));
      if (sum != null) {
        milli[i] = sum.milli;
        any = true;
      }
    }
    return any ? Amounts.ofMilli(limits, milli) : null;
  }

  private static Part part(Leg leg, int limit) {
    return new Part(leg.key(), leg.terms().limits().get(limit).name());
  }
}
