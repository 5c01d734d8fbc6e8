package dev.millrace.testkit.internal.memory;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.List;
import java.util.Locale;

/**
 * The positions of buckets and records in the table and in its indexes. The words are this store's
 * own; a space separates names because none may contain one. What shares a partition here does so
 * in DynamoDB too: an entity's record with its configs, a namespace's config with its work.
 */
public final class TableLayout {
  /** The namespace of what belongs to none. */
  public static final String NO_NAMESPACE = "_";

  public static final String META = "meta";
  public static final String CONFIG = "config";
  public static final String USAGE = "usage ";
  public static final String JOB = "job ";
  public static final String BY_NAME = "name ";

  private static final String BY_ID = "id ";
  private static final String SCHEMA = "schema";
  private static final String STATE = "state";

  private TableLayout() {}

  public static String namespaceOf(RecordKey key) {
    if (key instanceof RecordKey.Entity entity) {
      return entity.namespace();
    }
    if (key instanceof RecordKey.Config config) {
      return config.namespace();
    }
    if (key instanceof RecordKey.Audit audit) {
      return audit.namespace();
    }
    return key instanceof RecordKey.Job job ? job.namespace() : NO_NAMESPACE;
  }

  /** A bucket in the table: a partition of its own. */
  public static TablePosition of(BucketKey key) {
    String names = key.entityId() + " " + key.resource() + " " + key.shard();
    return new TablePosition(buckets(key.namespace()) + names, STATE);
  }

  /** What the partitions of all buckets of a namespace begin with. */
  public static String buckets(String namespace) {
    return namespace + "/bucket ";
  }

  /** A record in the table. */
  public static TablePosition of(RecordKey key) {
    if (key instanceof RecordKey.Entity entity) {
      return new TablePosition(entity(entity.namespace(), entity.entityId()), META);
    }
    if (key instanceof RecordKey.Config config) {
      return config(config);
    }
    if (key instanceof RecordKey.Audit audit) {
      return new TablePosition(audit(audit.namespace(), audit.subject()), audit.id());
    }
    if (key instanceof RecordKey.Job job) {
      return new TablePosition(system(job.namespace()), JOB + job.id());
    }
    if (key instanceof RecordKey.NamespaceByName named) {
      return new TablePosition(system(NO_NAMESPACE), BY_NAME + named.name());
    }
    if (key instanceof RecordKey.NamespaceById known) {
      return new TablePosition(system(NO_NAMESPACE), BY_ID + known.id());
    }
    return new TablePosition(system(NO_NAMESPACE), SCHEMA);
  }

  private static TablePosition config(RecordKey.Config key) {
    return switch (key.level()) {
      case ENTITY_RESOURCE ->
          new TablePosition(entity(key.namespace(), key.entityId()), CONFIG + " " + key.resource());
      case ENTITY -> new TablePosition(entity(key.namespace(), key.entityId()), CONFIG);
      case RESOURCE -> new TablePosition(key.namespace() + "/resource " + key.resource(), CONFIG);
      case SYSTEM -> new TablePosition(system(key.namespace()), CONFIG);
      case CALL -> throw new IllegalArgumentException("level CALL is not stored: " + key);
    };
  }

  public static String entity(String namespace, String entityId) {
    return namespace + "/entity " + entityId;
  }

  public static String system(String namespace) {
    return namespace + "/system";
  }

  public static String audit(String namespace, String subject) {
    return namespace + "/audit " + subject;
  }

  /** A bucket in the indexes: nothing in it ever changes, so these never do. */
  public static List<TablePosition> indexed(BucketKey key) {
    String shard = String.format(Locale.ROOT, "%05d", key.shard());
    return List.of(
        new TablePosition(
            bucketsOfResource(key.namespace(), key.resource()), key.entityId() + " " + shard),
        new TablePosition(
            bucketsOfEntity(key.namespace(), key.entityId()), key.resource() + " " + shard));
  }

  /** A record in the indexes, as it is now. */
  public static List<TablePosition> indexed(StoredRecord record) {
    if (record instanceof EntityRecord entity) {
      String namespace = entity.key().namespace();
      String parentId = entity.parentId();
      String partition = parentId == null ? roots(namespace) : children(namespace, parentId);
      return List.of(new TablePosition(partition, entity.key().entityId()));
    }
    if (record instanceof AuditEvent event) {
      RecordKey.Audit key = event.key();
      return List.of(
          new TablePosition(auditOfNamespace(key.namespace()), key.id() + " " + key.subject()));
    }
    return record instanceof ConfigRecord config ? indexed(config) : List.of();
  }

  private static List<TablePosition> indexed(ConfigRecord config) {
    RecordKey.Config key = config.key();
    if (key.level() == ConfigLevel.RESOURCE) {
      return List.of(new TablePosition(resourceConfigs(key.namespace()), key.resource()));
    }
    if (config.limits() == null || key.level() == ConfigLevel.SYSTEM) {
      return List.of();
    }
    String partition =
        key.level() == ConfigLevel.ENTITY
            ? defaultedEntities(key.namespace())
            : configuredEntities(key.namespace(), key.resource());
    return List.of(new TablePosition(partition, key.entityId()));
  }

  public static String roots(String namespace) {
    return "roots " + namespace;
  }

  public static String children(String namespace, String parentId) {
    return "children " + namespace + " " + parentId;
  }

  public static String bucketsOfResource(String namespace, String resource) {
    return "buckets-of-resource " + namespace + " " + resource;
  }

  public static String bucketsOfEntity(String namespace, String entityId) {
    return "buckets-of-entity " + namespace + " " + entityId;
  }

  public static String configuredEntities(String namespace, String resource) {
    return "configured " + namespace + " " + resource;
  }

  public static String defaultedEntities(String namespace) {
    return "defaulted " + namespace;
  }

  public static String resourceConfigs(String namespace) {
    return "resource-configs " + namespace;
  }

  public static String auditOfNamespace(String namespace) {
    return "audit " + namespace;
  }
}
