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

/** The sum of what several requests want of each bucket, by the limits that they know of it. */
public final class AmountsAhead {
  /** Nothing. */
  public static final AmountsAhead NONE = new AmountsAhead();

  private record Part(BucketKey key, LimitSet limits) {}

  /** How many requests, and how much they want. */
  private static final class Sum {
    private final long[] milli;
    private int requests;

    private Sum(int limits) {
      this.milli = new long[limits];
    }
  }

  private final Map<Part, Sum> sums = new HashMap<>();

  public void add(ResolvedRequest prepared) {
    for (Leg leg : prepared.legs()) {
      Amounts amounts = leg.amounts();
      Sum sum = sums.computeIfAbsent(part(leg), absent -> new Sum(amounts.limits().size()));
      for (int i = 0; i < sum.milli.length; i++) {
        sum.milli[i] = SaturatedMath.add(sum.milli[i], amounts.milli(i));
      }
      sum.requests++;
    }
  }

  /** Takes off what was added. */
  public void remove(ResolvedRequest prepared) {
    for (Leg leg : prepared.legs()) {
      Sum sum = sums.get(part(leg));
      if (sum != null && --sum.requests == 0) {
        sums.remove(part(leg));
      } else if (sum != null) {
        for (int i = 0; i < sum.milli.length; i++) {
          sum.milli[i] -= leg.amounts().milli(i);
        }
      }
    }
  }

  /** What all of them want of the bucket of {@code leg}, null for nothing. */
  public @Nullable Amounts of(Leg leg) {
    Sum sum = sums.isEmpty() ? null : sums.get(part(leg));
    return sum == null ? null : Amounts.ofMilli(leg.terms().limits(), sum.milli);
  }

  private static Part part(Leg leg) {
    return new Part(leg.key(), leg.terms().limits());
  }
}
