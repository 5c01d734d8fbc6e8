package dev.millrace.core.plan;

import dev.millrace.core.request.Amounts;

/**
 * One caller's part of a write.
 *
 * @param kind whether it asks or tells
 * @param amounts how much; negative only when it tells, and then given back
 */
public record Demand(Kind kind, Amounts amounts) {
  /** An acquire of less than nothing would make tokens. */
  public Demand {
    for (int i = 0; i < amounts.limits().size() && kind == Kind.ACQUIRE; i++) {
      if (amounts.milli(i) < 0) {
        throw new IllegalArgumentException("an acquire cannot give back: " + amounts);
      }
    }
  }

  /** Asks or tells. */
  public enum Kind {
    /** Asks: all of it or nothing, never below zero. */
    ACQUIRE,
    /** Tells: what a call turned out to cost; always applied, below zero if need be. */
    SETTLE
  }

  /** A demand that asks. */
  public static Demand acquire(Amounts amounts) {
    return new Demand(Kind.ACQUIRE, amounts);
  }

  /** A demand that tells. */
  public static Demand settle(Amounts amounts) {
    return new Demand(Kind.SETTLE, amounts);
  }
}
