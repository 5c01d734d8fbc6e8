package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.Locale;

/** A namespace as an item and back, under its name or under its id. */
final class NamespaceCodec {
  private NamespaceCodec() {}

  static ItemWriter encode(ItemWriter item, NamespaceRecord namespace) {
    if (!agrees(namespace.key(), namespace.name(), namespace.id())) {
      throw new IllegalArgumentException("the key of " + namespace + " is that of another one");
    }
    return item.number(RecordAttributes.VERSION, namespace.version())
        .text(RecordAttributes.NAME, namespace.name())
        .text(RecordAttributes.NAMESPACE_ID, namespace.id())
        .text(RecordAttributes.STATE, text(namespace.state()))
        .number(RecordAttributes.CHANGED_AT, namespace.changedAtMs());
  }

  static NamespaceRecord decode(RecordKey key, ItemReader item) {
    String name = name(item, RecordAttributes.NAME);
    String id = name(item, RecordAttributes.NAMESPACE_ID);
    if (!agrees(key, name, id)) {
      throw item.corrupt("its name " + name + " and id " + id + " are not those of its key", null);
    }
    return new NamespaceRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        name,
        id,
        state(item),
        item.number(RecordAttributes.CHANGED_AT));
  }

  private static boolean agrees(RecordKey key, String name, String id) {
    return (key instanceof RecordKey.NamespaceByName byName && byName.name().equals(name))
        || (key instanceof RecordKey.NamespaceById byId && byId.id().equals(id));
  }

  /** Every key of the namespace will begin with its id, so it is checked before it is believed. */
  private static String name(ItemReader item, String attribute) {
    try {
      return NameRules.requireNamespace(item.text(attribute));
    } catch (IllegalArgumentException e) {
      throw item.corrupt(attribute + ": " + e.getMessage(), e);
    }
  }

  private static String text(NamespaceRecord.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static NamespaceRecord.State state(ItemReader item) {
    String stored = item.text(RecordAttributes.STATE);
    for (NamespaceRecord.State state : NamespaceRecord.State.values()) {
      if (stored.equals(text(state))) {
        return state;
      }
    }
    throw item.corrupt(
        RecordAttributes.STATE + " '" + stored + "' is none of active, deleted, purging", null);
  }
}
