package dev.millrace;

import java.util.List;

/**
 * What can be used at this moment.
 *
 * @param statuses every limit of the entity in the order of the names, then those of each ancestor
 *     that it draws on
 */
public record Availability(List<LimitStatus> statuses) {
  /** Keeps the statuses as they are now. */
  public Availability {
    statuses = List.copyOf(statuses);
  }

  /** Whole tokens of {@code limit}, the least of all that have it; below zero in debt. */
  public long tokens(String limit) {
    return statuses.stream()
        .filter(status -> status.name().equals(limit))
        .mapToLong(LimitStatus::available)
        .min()
        .orElseThrow(() -> new IllegalArgumentException("limit '" + limit + "' is not known here"));
  }
}
