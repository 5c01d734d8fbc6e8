package dev.millrace.manifest.plan;

import java.util.List;

/**
 * Changes that belong together: those of one entity or of one resource, in the order in which they
 * must be made.
 *
 * @param name of the entity or of the resource, empty for the namespace itself
 * @param ofEntity whether it is the name of an entity
 */
public record ChangeBatch(String name, boolean ofEntity, List<ManifestChange> changes) {
  /** Copies the changes. */
  public ChangeBatch {
    changes = List.copyOf(changes);
  }
}
