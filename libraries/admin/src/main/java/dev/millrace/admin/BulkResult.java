package dev.millrace.admin;

import java.util.List;

/**
 * What came of creating many entities.
 *
 * @param created how many were created
 * @param existing ids of those that were there already; they are as they were
 */
public record BulkResult(long created, List<String> existing) {
  /** Keeps the ids as they are now. */
  public BulkResult {
    existing = List.copyOf(existing);
  }
}
