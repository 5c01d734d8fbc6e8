package dev.millrace.admin;

import java.util.List;

/**
 * The result of creating many entities.
 *
 * @param created the number of entities created
 * @param existing ids of the entities that existed already, which are unchanged
 */
public record BulkResult(long created, List<String> existing) {
  public BulkResult {
    existing = List.copyOf(existing);
  }
}
