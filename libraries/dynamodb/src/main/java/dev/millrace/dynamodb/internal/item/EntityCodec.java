package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entity's record as an item and back. */
final class EntityCodec {
  /** What is left out when there is nothing to say. */
  static final List<String> OPTIONAL =
      List.of(RecordAttributes.ANCESTORS, RecordAttributes.METADATA, RecordAttributes.PARENT_ID);

  private EntityCodec() {}

  static ItemWriter encode(ItemWriter item, EntityRecord entity) {
    RecordKey.Entity key = entity.key();
    String parentId = entity.parentId();
    return item.number(RecordAttributes.VERSION, entity.version())
        .text(RecordAttributes.NAME, entity.name())
        .text(RecordAttributes.PARENT_ID, parentId)
        .texts(RecordAttributes.ANCESTORS, entity.ancestorsHint())
        .flag(RecordAttributes.CASCADE, entity.cascade())
        .flag(RecordAttributes.DISABLED, entity.disabled())
        .textsByName(RecordAttributes.METADATA, entity.metadata())
        .number(RecordAttributes.CREATED_AT, entity.createdAtMs())
        .number(RecordAttributes.CHILDREN, entity.children())
        .index(
            TableIndex.PARENT_CHILDREN,
            parentId == null
                ? IndexKeys.roots(key.namespace())
                : IndexKeys.parent(key.namespace(), parentId),
            IndexKeys.child(key.entityId()));
  }

  static EntityRecord decode(RecordKey.Entity key, ItemReader item) {
    return new EntityRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        item.text(RecordAttributes.NAME),
        parentId(item),
        ancestors(item),
        item.flag(RecordAttributes.CASCADE),
        item.flag(RecordAttributes.DISABLED),
        item.textsByName(RecordAttributes.METADATA),
        item.number(RecordAttributes.CREATED_AT),
        item.atLeast(0, RecordAttributes.CHILDREN));
  }

  private static @Nullable String parentId(ItemReader item) {
    String parentId = item.textOrNull(RecordAttributes.PARENT_ID);
    return parentId == null ? null : entityId(item, RecordAttributes.PARENT_ID, parentId);
  }

  private static List<String> ancestors(ItemReader item) {
    List<String> ancestors = item.texts(RecordAttributes.ANCESTORS);
    if (ancestors.size() > EntityRecord.MAX_ANCESTORS) {
      throw item.corrupt(
          "it has " + ancestors.size() + " ancestors, at most " + EntityRecord.MAX_ANCESTORS, null);
    }
    for (String ancestor : ancestors) {
      entityId(item, RecordAttributes.ANCESTORS, ancestor);
    }
    return ancestors;
  }

  private static String entityId(ItemReader item, String attribute, String value) {
    try {
      return NameRules.requireEntityId(value);
    } catch (IllegalArgumentException e) {
      throw item.corrupt(attribute + ": " + e.getMessage(), e);
    }
  }
}
