package dev.millrace.core.plan;

import dev.millrace.core.request.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * One caller's part of a write.
 *
 * @param kind whether it asks, tells or provides
 * @param amounts how much; negative only when it tells, and then given back
 * @param leave what must be left of each limit for others; only for one that provides
 */
public record Demand(Kind kind, Amounts amounts, @Nullable Amounts leave) {
  /** To take less than nothing would make tokens. */
  public Demand {
    for (int i = 0; i < amounts.limits().size() && kind != Kind.SETTLE; i++) {
      if (amounts.milli(i) < 0) {
        throw new IllegalArgumentException("an acquire cannot give back: " + amounts);
      }
    }
  }

  /** Asks, tells or provides. */
  public enum Kind {
    /** Asks: all of it or nothing, never below zero. */
    ACQUIRE,
    /** Tells: what a call turned out to cost; always applied, below zero if need be. */
    SETTLE,
    /** Provides for requests to come: only from what is plenty, after everybody else. */
    PREFETCH
  }

  /** A demand that asks. */
  public static Demand acquire(Amounts amounts) {
    return new Demand(Kind.ACQUIRE, amounts, null);
  }

  /** A demand that tells. */
  public static Demand settle(Amounts amounts) {
    return new Demand(Kind.SETTLE, amounts, null);
  }

  /** A demand that provides, as long as {@code leave} stays in the bucket. */
  public static Demand prefetch(Amounts amounts, Amounts leave) {
    return new Demand(Kind.PREFETCH, amounts, leave);
  }
}
