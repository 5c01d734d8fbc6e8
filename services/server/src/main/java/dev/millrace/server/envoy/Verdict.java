package dev.millrace.server.envoy;

import org.jspecify.annotations.Nullable;

/**
 * What is answered for one descriptor.
 *
 * @param over whether it is over its limit
 * @param standing the limit that matters most, null when there is none
 * @param outcome what is counted
 */
record Verdict(boolean over, @Nullable Standing standing, Outcome outcome) {
  /** What a decision is counted as. */
  enum Outcome {
    /** Let through. */
    OK,
    /** Let through, with little left. */
    NEAR,
    /** Refused by a limit, or switched off. */
    OVER,
    /** Would have been refused, were the rule not a shadow. */
    SHADOW,
    /** The table did not decide; answered as the rule says. */
    UNAVAILABLE,
    /** There is no limit for it; answered as the domain says. */
    UNLIMITED
  }

  /** Of a descriptor for which there is no limit. */
  static Verdict unlimited(OnUnknown policy) {
    return new Verdict(policy == OnUnknown.DENY, null, Outcome.UNLIMITED);
  }

  /** Of a descriptor that passed. */
  static Verdict passed(@Nullable Standing standing, double nearRatio) {
    boolean near = standing != null && standing.used() >= nearRatio;
    return new Verdict(false, standing, near ? Outcome.NEAR : Outcome.OK);
  }

  /** Of a descriptor that was refused. */
  static Verdict refused(@Nullable Standing standing) {
    return new Verdict(true, standing, Outcome.OVER);
  }

  /** Of a descriptor that the table did not decide. */
  static Verdict undecided(OnUnavailable policy) {
    return new Verdict(policy != OnUnavailable.ALLOW, null, Outcome.UNAVAILABLE);
  }

  /** The same for a rule that only watches: it never refuses. */
  Verdict shadowed() {
    return over
        ? new Verdict(false, standing, outcome == Outcome.OVER ? Outcome.SHADOW : outcome)
        : this;
  }
}
