package dev.millrace.admin.internal;

import java.util.Arrays;

/** The kinds of jobs. */
enum JobKind {
  /** Updates the shards of one bucket to the configuration in effect. */
  REFRESH_BUCKET("refresh.bucket"),
  /** The same for all buckets of an entity. */
  REFRESH_ENTITY("refresh.entity"),
  /** The same for all buckets of a resource. */
  REFRESH_RESOURCE("refresh.resource"),
  /** The same for all buckets of a namespace. */
  REFRESH_NAMESPACE("refresh.namespace"),
  /** Keeps the tree below an entity as it is while the entity is moved. */
  HOLD_ENTITY("entity.move"),
  /** Removes everything of an entity. */
  ERASE_ENTITY("entity.delete"),
  /** Removes everything of a namespace. */
  PURGE_NAMESPACE("namespace.purge"),
  /** Removes everything of a namespace that is not registered. */
  PURGE_ORPHANS("orphans.purge"),
  /** An operation on a bucket that was done; nothing remains to be done. */
  OPERATION("operation");

  private final String text;

  JobKind(String text) {
    this.text = text;
  }

  /** As it is stored. */
  String text() {
    return text;
  }

  static JobKind of(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("job kind '" + text + "' is not known"));
  }
}
