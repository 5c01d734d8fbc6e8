package dev.millrace.server.lease;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a lease is to end. Two that are equal are the same end asked for twice.
 *
 * @param how in which way
 * @param amounts what is corrected or was really used, by limit; empty for nothing
 * @param resource of which resource, null for the first
 */
record Ending(How how, Map<String, Long> amounts, @Nullable String resource) {
  /** Ways to end. */
  enum How {
    /** Settled, corrected by the amounts. */
    ADJUSTED(State.SETTLED),
    /** Settled, with the amounts as what was really used. */
    ACTUAL(State.SETTLED),
    /** Given back. */
    RELEASED(State.RELEASED),
    /** Nobody ended it: kept. */
    EXPIRED_KEPT(State.EXPIRED),
    /** Nobody ended it: given back. */
    EXPIRED_REFUNDED(State.EXPIRED),
    /** The server stopped: kept. */
    DRAINED_KEPT(State.SETTLED),
    /** The server stopped: given back. */
    DRAINED_REFUNDED(State.RELEASED);

    final State state;

    How(State state) {
      this.state = state;
    }

    /** Whether the holder says what the call has cost. */
    boolean settles() {
      return this == ADJUSTED || this == ACTUAL;
    }

    boolean givesBack() {
      return this == RELEASED || this == EXPIRED_REFUNDED || this == DRAINED_REFUNDED;
    }
  }

  /** What callers are told of a lease. */
  enum State {
    OPEN,
    SETTLED,
    RELEASED,
    EXPIRED
  }

  Ending {
    amounts = Map.copyOf(amounts);
  }

  static Ending of(How how) {
    return new Ending(how, Map.of(), null);
  }

  static Ending expired(OnExpiry onExpiry) {
    return of(onExpiry == OnExpiry.KEEP ? How.EXPIRED_KEPT : How.EXPIRED_REFUNDED);
  }

  static Ending drained(OnExpiry onDrain) {
    return of(onDrain == OnExpiry.KEEP ? How.DRAINED_KEPT : How.DRAINED_REFUNDED);
  }
}
