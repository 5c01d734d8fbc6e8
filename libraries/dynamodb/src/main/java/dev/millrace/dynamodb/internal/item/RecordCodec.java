package dev.millrace.dynamodb.internal.item;

import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Every kind of record as an item and back. An item of which a part is missing or makes no sense is
 * an error that says so. Configs have a codec of their own, {@link ConfigCodec}.
 */
public final class RecordCodec {
  /** The attributes that an update of an entity removes when they are not set. */
  public static final List<String> OPTIONAL_OF_ENTITY =
      List.of(RecordAttributes.ANCESTORS, RecordAttributes.METADATA, RecordAttributes.PARENT_ID);

  private RecordCodec() {}

  public static Map<String, AttributeValue> key(RecordKey key) {
    ItemAddress address = RecordAddress.of(key);
    return Attributes.key(address.partition(), address.sort());
  }

  public static Map<String, AttributeValue> encode(StoredRecord record) {
    ItemWriter item = new ItemWriter(key(record.key()));
    item.number(RecordAttributes.VERSION, record.version());
    if (record instanceof EntityRecord entity) {
      encode(entity, item);
    } else if (record instanceof ConfigRecord config) {
      ConfigCodec.encode(config, item);
    } else if (record instanceof NamespaceRecord namespace) {
      encode(namespace, item);
    } else if (record instanceof AuditEvent event) {
      encode(event, item);
    } else if (record instanceof JobRecord job) {
      encode(job, item);
    } else {
      SchemaRecord schema = (SchemaRecord) record;
      item.numberUnless(schema.version(), RecordAttributes.OLDEST, schema.oldest());
    }
    return item.toItem();
  }

  /** The record in {@code item}, identified by the item's own key. */
  public static StoredRecord decode(Map<String, AttributeValue> item) {
    ItemAddress address = Attributes.address(item);
    RecordKey key;
    try {
      key = RecordAddress.parse(address);
    } catch (IllegalArgumentException e) {
      throw ItemReader.corrupt(address, String.valueOf(e.getMessage()), e);
    }
    return decode(key, item);
  }

  public static StoredRecord decode(RecordKey key, Map<String, AttributeValue> attributes) {
    ItemReader item = new ItemReader(RecordAddress.of(key), attributes);
    if (key instanceof RecordKey.Entity entity) {
      return entity(entity, item);
    }
    if (key instanceof RecordKey.Config config) {
      return ConfigCodec.decode(config, item);
    }
    if (key instanceof RecordKey.Audit audit) {
      return event(audit, item);
    }
    if (key instanceof RecordKey.Job job) {
      return job(job, item);
    }
    return key instanceof RecordKey.Schema ? schema(item) : namespace(key, item);
  }

  private static void encode(EntityRecord entity, ItemWriter item) {
    RecordKey.Entity key = entity.key();
    item.text(RecordAttributes.NAME, entity.name())
        .text(RecordAttributes.PARENT_ID, entity.parentId())
        .texts(RecordAttributes.ANCESTORS, entity.ancestorsHint())
        .flag(RecordAttributes.CASCADE, entity.cascade())
        .flag(RecordAttributes.DISABLED, entity.disabled())
        .textsByName(RecordAttributes.METADATA, entity.metadata())
        .number(RecordAttributes.CREATED_AT, entity.createdAtMs())
        .number(RecordAttributes.CHILDREN, entity.children())
        .index(
            TableIndex.PARENT_CHILDREN,
            TableIndex.childrenOf(key.namespace(), entity.parentId()),
            TableIndex.CHILD + key.entityId());
  }

  private static EntityRecord entity(RecordKey.Entity key, ItemReader item) {
    String parentId = item.textOrNull(RecordAttributes.PARENT_ID);
    List<String> ancestors = item.texts(RecordAttributes.ANCESTORS);
    if (ancestors.size() > EntityRecord.MAX_ANCESTORS) {
      throw item.corrupt(
          "it has " + ancestors.size() + " ancestors, at most " + EntityRecord.MAX_ANCESTORS, null);
    }
    ancestors.forEach(
        ancestor -> item.checked(RecordAttributes.ANCESTORS, ancestor, NameRules::requireEntityId));
    return new EntityRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        item.text(RecordAttributes.NAME),
        parentId == null
            ? null
            : item.checked(RecordAttributes.PARENT_ID, parentId, NameRules::requireEntityId),
        ancestors,
        item.flag(RecordAttributes.CASCADE),
        item.flag(RecordAttributes.DISABLED),
        item.textsByName(RecordAttributes.METADATA),
        item.number(RecordAttributes.CREATED_AT),
        item.atLeast(0, RecordAttributes.CHILDREN));
  }

  /** A namespace has two records, one under its name and one under its id. */
  private static void encode(NamespaceRecord namespace, ItemWriter item) {
    if (!isKeyOf(namespace.key(), namespace.name(), namespace.id())) {
      throw new IllegalArgumentException("the key of " + namespace + " is that of another one");
    }
    item.text(RecordAttributes.NAME, namespace.name())
        .text(RecordAttributes.NAMESPACE_ID, namespace.id())
        .constant(RecordAttributes.STATE, namespace.state())
        .number(RecordAttributes.CHANGED_AT, namespace.changedAtMs());
  }

  private static NamespaceRecord namespace(RecordKey key, ItemReader item) {
    // Every key of the namespace will begin with its id.
    String name = namespaceName(item, RecordAttributes.NAME);
    String id = namespaceName(item, RecordAttributes.NAMESPACE_ID);
    if (!isKeyOf(key, name, id)) {
      throw item.corrupt("its name " + name + " and id " + id + " are not those of its key", null);
    }
    return new NamespaceRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        name,
        id,
        item.constant(
            RecordAttributes.STATE,
            item.text(RecordAttributes.STATE),
            NamespaceRecord.State.values(),
            "none of active, deleted, purging"),
        item.number(RecordAttributes.CHANGED_AT));
  }

  private static boolean isKeyOf(RecordKey key, String name, String id) {
    return (key instanceof RecordKey.NamespaceByName byName && byName.name().equals(name))
        || (key instanceof RecordKey.NamespaceById byId && byId.id().equals(id));
  }

  private static String namespaceName(ItemReader item, String attribute) {
    return item.checked(attribute, item.text(attribute), NameRules::requireNamespace);
  }

  private static void encode(AuditEvent event, ItemWriter item) {
    RecordKey.Audit key = event.key();
    item.number(RecordAttributes.AT, event.atMs())
        .text(RecordAttributes.ACTOR, event.actor())
        .text(RecordAttributes.ACTION, event.action())
        .textsByName(RecordAttributes.BEFORE, event.before())
        .textsByName(RecordAttributes.AFTER, event.after())
        .numberUnless(BucketState.NEVER, Attributes.TTL, event.expiresAtSeconds())
        .index(TableIndex.DIRECTORY, TableIndex.audit(key.namespace()), key.id());
  }

  private static AuditEvent event(RecordKey.Audit key, ItemReader item) {
    return new AuditEvent(
        key,
        item.number(RecordAttributes.AT),
        item.text(RecordAttributes.ACTOR),
        item.text(RecordAttributes.ACTION),
        item.textsByName(RecordAttributes.BEFORE),
        item.textsByName(RecordAttributes.AFTER),
        item.number(Attributes.TTL, BucketState.NEVER));
  }

  /** A job expires only once it is done: one that may yet be resumed must not go by itself. */
  private static void encode(JobRecord job, ItemWriter item) {
    item.text(RecordAttributes.KIND, job.kind())
        .textsByName(RecordAttributes.ARGUMENTS, job.arguments())
        .text(RecordAttributes.CURSOR, job.cursor())
        .number(RecordAttributes.EXAMINED, job.examined())
        .number(RecordAttributes.CHANGED, job.changed())
        .flag(RecordAttributes.DONE, job.done())
        .number(RecordAttributes.STARTED_AT, job.startedAtMs())
        .number(RecordAttributes.UPDATED_AT, job.updatedAtMs())
        .numberUnless(BucketState.NEVER, RecordAttributes.EXPIRES_AT, job.expiresAtSeconds());
    if (job.done()) {
      item.numberUnless(BucketState.NEVER, Attributes.TTL, job.expiresAtSeconds());
    }
  }

  private static JobRecord job(RecordKey.Job key, ItemReader item) {
    return new JobRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        item.text(RecordAttributes.KIND),
        item.textsByName(RecordAttributes.ARGUMENTS),
        item.textOrNull(RecordAttributes.CURSOR),
        item.number(RecordAttributes.EXAMINED),
        item.number(RecordAttributes.CHANGED),
        item.flag(RecordAttributes.DONE),
        item.number(RecordAttributes.STARTED_AT),
        item.number(RecordAttributes.UPDATED_AT),
        item.number(RecordAttributes.EXPIRES_AT, BucketState.NEVER));
  }

  /**
   * Tables of versions 1 and 2 have a record of another form in its place, with the version of
   * their software. Which of the two it is does not matter: both have to be migrated.
   */
  private static SchemaRecord schema(ItemReader item) {
    if (!item.has(RecordAttributes.VERSION) && item.has(RecordAttributes.FORMER_VERSION)) {
      return new SchemaRecord(SchemaRecord.SUPPORTED - 1);
    }
    long version = item.atLeast(1, RecordAttributes.VERSION);
    if (!item.has(RecordAttributes.OLDEST)) {
      return new SchemaRecord(version);
    }
    long oldest = item.atLeast(1, RecordAttributes.OLDEST);
    if (oldest > version) {
      throw item.corrupt(
          RecordAttributes.OLDEST + " " + oldest + " is above the version " + version, null);
    }
    return new SchemaRecord(version, oldest);
  }
}
