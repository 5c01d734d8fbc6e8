package dev.millrace.admin;

import dev.millrace.core.directory.NamespaceRecord;
import java.time.Instant;

/**
 * A namespace.
 *
 * @param name as people call it
 * @param id what every key of its records begins with
 * @param state what has become of it
 * @param changedAt when it came into its state
 */
public record NamespaceView(
    String name, String id, NamespaceRecord.State state, Instant changedAt) {
  static NamespaceView of(NamespaceRecord record) {
    return new NamespaceView(
        record.name(), record.id(), record.state(), Instant.ofEpochMilli(record.changedAtMs()));
  }
}
