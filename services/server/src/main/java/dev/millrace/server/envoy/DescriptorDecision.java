package dev.millrace.server.envoy;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.server.envoy.EnvoyMapping.FailurePolicy;
import dev.millrace.server.envoy.EnvoyMapping.UnknownPolicy;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one descriptor.
 *
 * @param over whether it is over its limit
 * @param balance of the limit that matters most, null for none
 * @param outcome the label of the metric
 */
record DescriptorDecision(boolean over, @Nullable LimitBalance balance, Outcome outcome) {
  /** The outcomes in metrics. */
  enum Outcome {
    /** Let through. */
    OK,
    /** Let through, with little left. */
    NEAR,
    /** Refused by a limit, or disabled. */
    OVER,
    /** Would have been refused, but the rule is a shadow. */
    SHADOW,
    /** Not decided by the table; answered as the rule says. */
    UNAVAILABLE,
    /** Without a limit; answered as the domain says. */
    UNLIMITED
  }

  /** Passed, with nothing known of its limits. */
  static final DescriptorDecision PASSED = new DescriptorDecision(false, null, Outcome.OK);

  static DescriptorDecision unlimited(UnknownPolicy policy) {
    return new DescriptorDecision(policy == UnknownPolicy.DENY, null, Outcome.UNLIMITED);
  }

  static DescriptorDecision passed(List<LimitBalance> balances, double nearRatio) {
    LimitBalance tightest = LimitBalance.tightest(balances);
    boolean near = tightest != null && tightest.used() >= nearRatio;
    return new DescriptorDecision(false, tightest, near ? Outcome.NEAR : Outcome.OK);
  }

  static DescriptorDecision refused(@Nullable LimitBalance balance) {
    return new DescriptorDecision(true, balance, Outcome.OVER);
  }

  static DescriptorDecision undecided(FailurePolicy policy) {
    return new DescriptorDecision(policy != FailurePolicy.ALLOW, null, Outcome.UNAVAILABLE);
  }

  /** Refused if one of {@code statuses} is exceeded, by the one with the longest wait. */
  static DescriptorDecision of(List<LimitStatus> statuses, double nearRatio) {
    return statuses.stream()
        .filter(LimitStatus::exceeded)
        .max(Comparator.comparingLong(LimitStatus::retryAfterMs))
        .map(
            worst ->
                refused(
                    new LimitBalance(worst.limit(), worst.availableMilli(), worst.retryAfterMs())))
        .orElseGet(() -> passed(balances(statuses), nearRatio));
  }

  static List<LimitBalance> balances(List<LimitStatus> statuses) {
    return statuses.stream()
        .map(status -> LimitBalance.remaining(status.limit(), status.availableMilli()))
        .toList();
  }

  /** The same for a shadow rule, which never refuses. */
  DescriptorDecision shadowed() {
    return over
        ? new DescriptorDecision(false, balance, outcome == Outcome.OVER ? Outcome.SHADOW : outcome)
        : this;
  }

  /**
   * The balance of a limit after a decision.
   *
   * @param availableMilli below zero in debt
   * @param resetMs milliseconds until a refused request would pass, or until the limit is full
   *     again
   */
  record LimitBalance(Limit limit, long availableMilli, long resetMs) {
    /** After a request that passed. */
    static LimitBalance remaining(Limit limit, long availableMilli) {
      return new LimitBalance(
          limit, availableMilli, limit.refill().timeToEarnMs(limit.burstMilli() - availableMilli));
    }

    /** The used part of the capacity, from 0; above 1 in debt. */
    double used() {
      return 1 - (double) availableMilli / limit.capacityMilli();
    }

    /** The available tokens, rounded down; none in debt. */
    long tokens() {
      return Math.max(0, Math.floorDiv(availableMilli, Limit.MILLI));
    }

    /** The one with the largest used part, the first of several; null for none. */
    static @Nullable LimitBalance tightest(List<LimitBalance> balances) {
      return balances.stream().max(Comparator.comparingDouble(LimitBalance::used)).orElse(null);
    }
  }
}
