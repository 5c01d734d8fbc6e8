package dev.millrace.client;

import dev.millrace.core.decision.LimitStatus;
import java.util.List;

/**
 * What a bucket holds at this moment.
 *
 * @param statuses every limit, in the order of the names
 */
public record Availability(List<LimitStatus> statuses) {
  /** Keeps the statuses as they are now. */
  public Availability {
    statuses = List.copyOf(statuses);
  }

  /** Whole tokens of {@code limit}, below zero in debt. */
  public long tokens(String limit) {
    return statuses.stream()
        .filter(status -> status.name().equals(limit))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("limit '" + limit + "' is not known here"))
        .available();
  }
}
