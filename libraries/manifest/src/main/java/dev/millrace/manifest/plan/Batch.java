package dev.millrace.manifest.plan;

import java.util.List;

/**
 * Changes that belong together: those of one entity or of one resource, in the order in which they
 * must be made.
 *
 * @param name of the entity or of the resource, empty for the namespace itself
 * @param ofEntity whether they are an entity's
 */
public record Batch(String name, boolean ofEntity, List<Change> changes) {
  /** Keeps the changes as they are now. */
  public Batch {
    changes = List.copyOf(changes);
  }
}
