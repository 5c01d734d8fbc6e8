package dev.millrace.admin;

import dev.millrace.core.spi.directory.NamespaceRecord;
import java.time.Instant;

/**
 * A namespace.
 *
 * @param name its name
 * @param id the prefix of every key of its records
 * @param state its state
 * @param changedAt the time of its last change of state
 */
public record NamespaceView(
    String name, String id, NamespaceRecord.State state, Instant changedAt) {
  static NamespaceView of(NamespaceRecord record) {
    return new NamespaceView(
        record.name(), record.id(), record.state(), Instant.ofEpochMilli(record.changedAtMs()));
  }
}
