package dev.millrace.simulator.oracle;

/**
 * The settings of the writers that the oracle needs.
 *
 * @param windowMs how old a claim may be beside which is consumed: four fifths of the grain
 * @param maxSkewMs how far ahead a refill timestamp is believed
 */
record OracleSettings(long windowMs, long maxSkewMs) {
  private static final long MICROS = 1_000;

  /** Longest time from a write's plan to its last sending. */
  private static final long RESEND_MS = 10_000;

  static OracleSettings of(long grainMs, long maxSkewMs) {
    if (grainMs < 1 || maxSkewMs < 1) {
      throw new IllegalArgumentException(
          "grain " + grainMs + " ms and skew " + maxSkewMs + " ms must be positive");
    }
    return new OracleSettings(Math.max(1, grainMs * 4 / 5), maxSkewMs);
  }

  long windowMicros() {
    return windowMs * MICROS;
  }

  long resendMs() {
    return RESEND_MS;
  }
}
