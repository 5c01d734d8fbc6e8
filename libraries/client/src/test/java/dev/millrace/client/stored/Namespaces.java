package dev.millrace.client.stored;

import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.testkit.InMemoryStore;

/** Namespaces as the administration registers them: by name and by id. */
final class Namespaces {
  private Namespaces() {}

  static void register(InMemoryStore store, String name, String id) {
    put(store, name, id, NamespaceRecord.State.ACTIVE);
  }

  static void put(InMemoryStore store, String name, String id, NamespaceRecord.State state) {
    store.put(
        new NamespaceRecord(
            new RecordKey.NamespaceByName(name), 1, name, id, state, /* changedAtMs= */ 0));
    store.put(new NamespaceRecord(new RecordKey.NamespaceById(id), 1, name, id, state, 0));
  }
}
