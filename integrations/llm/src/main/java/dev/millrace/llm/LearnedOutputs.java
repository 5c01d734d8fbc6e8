package dev.millrace.llm;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The expected output, learned from earlier outputs: a quantile for each tenant, model and size of
 * prompt.
 *
 * <p>A group without observations uses the next larger one: the tenant's calls of the model of any
 * size, then those of all tenants, then {@link #UNKNOWN_OUTPUT}. The weight of each group grows
 * with its observations: after {@link #HALF_TRUST} of them it has as much as all larger ones
 * together. Never more than the request allows.
 */
final class LearnedOutputs {
  /** The part of answers that should not exceed the expected output. */
  static final double DEFAULT_QUANTILE = 0.85;

  /** The expected output of an unknown model, and of a request without a maximum. */
  static final long UNKNOWN_OUTPUT = 1_000;

  /** Most groups that are kept, 1.3 kB each; the least used are forgotten. */
  static final int MAX_GROUPS = 10_000;

  /** The number of observations after which a group has the same weight as the larger ones. */
  static final int HALF_TRUST = 8;

  /** The factor of prompt sizes within one class. */
  private static final int BITS_PER_SIZE = 2;

  private final double quantile;
  private final Cache<Group, OutputHistogram> groups =
      Caffeine.newBuilder().maximumSize(MAX_GROUPS).build();

  /** Expects the length that the part {@code quantile} of the answers did not exceed. */
  LearnedOutputs(double quantile) {
    if (!(quantile > 0 && quantile < 1)) {
      throw new IllegalArgumentException("quantile " + quantile + " must be above 0 and below 1");
    }
    this.quantile = quantile;
  }

  /** A group of similar calls; null and −1 stand for any. */
  private record Group(String model, @Nullable String entityId, int size) {
    static final int ANY = -1;
  }

  /** The groups of a call, larger ones first. */
  private static List<Group> groupsOf(LlmCall call, long inputTokens) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(inputTokens);
    return List.of(
        new Group(call.model(), null, Group.ANY),
        new Group(call.model(), call.entityId(), Group.ANY),
        new Group(call.model(), call.entityId(), bits / BITS_PER_SIZE));
  }

  /** The number of tokens that the answer probably does not exceed. */
  long expect(LlmCall call, long inputTokens) {
    double expected = UNKNOWN_OUTPUT;
    for (Group group : groupsOf(call, inputTokens)) {
      OutputHistogram seen = groups.getIfPresent(group);
      if (seen != null) {
        double count = seen.count();
        double trust = count / (count + HALF_TRUST);
        expected = trust * seen.quantile(quantile) + (1 - trust) * expected;
      }
    }
    long tokens = (long) Math.ceil(expected);
    Long max = call.maxOutputTokens();
    return max == null ? tokens : Math.min(tokens, max);
  }

  /** Learns the number of tokens of the answer to {@code call}. */
  void observe(LlmCall call, long inputTokens, long outputTokens) {
    for (Group group : groupsOf(call, inputTokens)) {
      groups.get(group, key -> new OutputHistogram()).observe(outputTokens);
    }
  }
}
