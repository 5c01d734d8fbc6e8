package dev.millrace.llm.shape;

import dev.millrace.core.limit.LimitSet;
import dev.millrace.llm.Usage;
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
public record LimitShape(List<Charge> charges) {
  /** At least one, each limit once. */
  public LimitShape {
    charges = List.copyOf(charges);
    if (charges.isEmpty() || charges.size() > LimitSet.MAX_LIMITS) {
      throw new IllegalArgumentException(
          "charges: " + charges.size() + " given, must be from 1 to " + LimitSet.MAX_LIMITS);
    }
    Set<String> names = new HashSet<>();
    for (Charge charge : charges) {
      if (!names.add(charge.limit())) {
        throw new IllegalArgumentException("charges: limit '" + charge.limit() + "' given twice");
      }
    }
  }

  /** The shape of {@code charges}. */
  public static LimitShape of(Charge... charges) {
    return new LimitShape(Arrays.asList(charges));
  }

  /** The charge of each limit for {@code usage}, in whole tokens, in the order of the charges. */
  public Map<String, Long> amounts(Usage usage) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (Charge charge : charges) {
      amounts.put(charge.limit(), charge.amount(usage));
    }
    return amounts;
  }
}
