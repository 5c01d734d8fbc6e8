package dev.millrace.simulator;

import org.jspecify.annotations.Nullable;

/**
 * The result of one history.
 *
 * @param failure the promise that was broken or the bug that came up, null when all was well
 * @param acquires how many requests were answered
 * @param events how much happened
 * @param writes how many writes of buckets arrived
 * @param nanos how long it took in its own time
 * @param worstBurst the most that was admitted, as a part of the bound
 * @param slowestPerMille the slowest answer to who does not wait, in thousandths of the time limit
 * @param fingerprint the same for every run of a seed
 */
public record Report(
    long seed,
    @Nullable Throwable failure,
    long acquires,
    long events,
    long writes,
    long nanos,
    double worstBurst,
    long slowestPerMille,
    long fingerprint,
    Coverage coverage) {
  /** Whether every promise was kept. */
  public boolean isGood() {
    return failure == null;
  }
}
