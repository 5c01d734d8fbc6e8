package dev.millrace.proving.fuzz;

import java.util.List;
import java.util.Map;

/**
 * The findings of a campaign.
 *
 * @param firstSeed the seed of the first request; that of the n-th is n more
 * @param requests how many were sent
 * @param answers how often each status was answered, by kind of request
 * @param violations what must not be; each names its seed
 */
public record FuzzReport(
    long firstSeed, long requests, Map<Kind, Map<Integer, Long>> answers, List<String> violations) {
  /** Keeps the violations as they are now. */
  public FuzzReport {
    violations = List.copyOf(violations);
  }
}
