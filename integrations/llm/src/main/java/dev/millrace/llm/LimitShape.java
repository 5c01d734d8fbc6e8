package dev.millrace.llm;

import dev.millrace.LimitSet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits that a call is charged to, each with its weights. The quotas of the limits are stored,
 * or come with the call.
 *
 * @param charges one for each limit
 */
public record LimitShape(List<LimitCharge> charges) {
  /** At least one, each limit once. */
  public LimitShape {
    charges = List.copyOf(charges);
    if (charges.isEmpty() || charges.size() > LimitSet.MAX_LIMITS) {
      throw new IllegalArgumentException(
          "charges: " + charges.size() + " given, must be from 1 to " + LimitSet.MAX_LIMITS);
    }
    Set<String> names = new HashSet<>();
    for (LimitCharge charge : charges) {
      if (!names.add(charge.limit())) {
        throw new IllegalArgumentException("charges: limit '" + charge.limit() + "' given twice");
      }
    }
  }

  public static LimitShape of(LimitCharge... charges) {
    return new LimitShape(Arrays.asList(charges));
  }

  /** The charge of each limit for {@code usage}, in whole tokens, in the order of the charges. */
  public Map<String, Long> amounts(LlmUsage usage) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (LimitCharge charge : charges) {
      amounts.put(charge.limit(), charge.amount(usage));
    }
    return amounts;
  }
}
