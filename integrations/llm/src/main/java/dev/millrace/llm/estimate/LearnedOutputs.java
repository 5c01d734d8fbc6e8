package dev.millrace.llm.estimate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.llm.LlmCall;
import org.jspecify.annotations.Nullable;

/**
 * What comes out, learned from what came out: a quantile for each tenant, model and size of prompt.
 *
 * <p>Who is not known yet is taken for the next larger group: the tenant's calls of the model
 * whatever their size, then everybody's, then {@link #UNKNOWN_OUTPUT}. Each group has a say that
 * grows with what it has seen: after {@link #HALF_TRUST} observations as much as all larger ones
 * together. Never more than the request allows.
 */
public final class LearnedOutputs {
  /** The share of answers that should not exceed what is expected. */
  public static final double DEFAULT_QUANTILE = 0.85;

  /** What is expected of a model that was never seen, and of a request that does not say. */
  public static final long UNKNOWN_OUTPUT = 1_000;

  /** Most groups that are remembered, 1.3 kB each; the least used are forgotten. */
  public static final int MAX_GROUPS = 10_000;

  /** After so many observations a group is believed as much as the larger ones. */
  public static final int HALF_TRUST = 8;

  /** Prompts of one class are alike up to a factor of four. */
  private static final int BITS_PER_SIZE = 2;

  private final double quantile;
  private final Cache<Group, OutputHistogram> groups =
      Caffeine.newBuilder().maximumSize(MAX_GROUPS).build();

  /** One with the default quantile. */
  public LearnedOutputs() {
    this(DEFAULT_QUANTILE);
  }

  /** One that expects what a share {@code quantile} of the answers did not exceed. */
  public LearnedOutputs(double quantile) {
    if (!(quantile > 0 && quantile < 1)) {
      throw new IllegalArgumentException("quantile " + quantile + " must be above 0 and below 1");
    }
    this.quantile = quantile;
  }

  /** Calls that are taken to be alike; null and −1 stand for any. */
  private record Group(String model, @Nullable String entityId, int size) {
    static final int ANY = -1;

    static Group of(LlmCall call) {
      return new Group(call.model(), null, ANY);
    }

    static Group ofTenant(LlmCall call) {
      return new Group(call.model(), call.entityId(), ANY);
    }

    static Group ofSize(LlmCall call, long inputTokens) {
      int bits = Long.SIZE - Long.numberOfLeadingZeros(inputTokens);
      return new Group(call.model(), call.entityId(), bits / BITS_PER_SIZE);
    }
  }

  /** How many tokens will probably not be exceeded by the answer. */
  public long expect(LlmCall call, long inputTokens) {
    double expected = UNKNOWN_OUTPUT;
    expected = blend(expected, Group.of(call));
    expected = blend(expected, Group.ofTenant(call));
    expected = blend(expected, Group.ofSize(call, inputTokens));
    long tokens = (long) Math.ceil(expected);
    Long max = call.maxOutputTokens();
    return max == null ? tokens : Math.min(tokens, max);
  }

  private double blend(double expected, Group group) {
    OutputHistogram seen = groups.getIfPresent(group);
    if (seen == null) {
      return expected;
    }
    double count = seen.count();
    double trust = count / (count + HALF_TRUST);
    return trust * seen.quantile(quantile) + (1 - trust) * expected;
  }

  /** Learns that {@code call} was answered with so many tokens. */
  public void observe(LlmCall call, long inputTokens, long outputTokens) {
    observe(Group.of(call), outputTokens);
    observe(Group.ofTenant(call), outputTokens);
    observe(Group.ofSize(call, inputTokens), outputTokens);
  }

  private void observe(Group group, long outputTokens) {
    groups.get(group, key -> new OutputHistogram()).observe(outputTokens);
  }
}
