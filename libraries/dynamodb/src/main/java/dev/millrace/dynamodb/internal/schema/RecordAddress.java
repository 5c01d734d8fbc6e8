package dev.millrace.dynamodb.internal.schema;

import dev.millrace.NameRules;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordKey;
import org.jspecify.annotations.Nullable;

/** The address of each record, and the record at an address. */
public final class RecordAddress {
  /** Longest subject of an audit event, in bytes: DynamoDB takes partition keys of 2,048. */
  public static final int MAX_SUBJECT_BYTES = 1_900;

  /** Longest id of an audit event or a job, in bytes: DynamoDB takes sort keys of 1,024. */
  public static final int MAX_ID_BYTES = 1_000;

  private RecordAddress() {}

  /**
   * Where the record {@code key} is.
   *
   * @throws IllegalArgumentException when a part of it would not stay within its namespace
   */
  public static ItemAddress of(RecordKey key) {
    if (key instanceof RecordKey.Entity entity) {
      return new ItemAddress(
          PartitionKeys.entity(entity.namespace(), entity.entityId()), SortKeys.META);
    }
    if (key instanceof RecordKey.Config config) {
      return of(config);
    }
    if (key instanceof RecordKey.Audit audit) {
      requireNamespace(audit.namespace());
      requireText("subject", audit.subject(), MAX_SUBJECT_BYTES);
      requireText("audit id", audit.id(), MAX_ID_BYTES);
      return new ItemAddress(
          PartitionKeys.audit(audit.namespace(), audit.subject()), SortKeys.AUDITS + audit.id());
    }
    if (key instanceof RecordKey.Job job) {
      requireNamespace(job.namespace());
      requireText("job id", job.id(), MAX_ID_BYTES);
      return new ItemAddress(PartitionKeys.system(job.namespace()), SortKeys.JOBS + job.id());
    }
    if (key instanceof RecordKey.NamespaceByName byName) {
      return new ItemAddress(PartitionKeys.table(), SortKeys.NAMESPACES + byName.name());
    }
    if (key instanceof RecordKey.NamespaceById byId) {
      return new ItemAddress(PartitionKeys.table(), SortKeys.NAMESPACE_IDS + byId.id());
    }
    return new ItemAddress(PartitionKeys.table(), SortKeys.VERSION);
  }

  private static ItemAddress of(RecordKey.Config key) {
    String namespace = key.namespace();
    return switch (key.level()) {
      case ENTITY_RESOURCE ->
          new ItemAddress(
              PartitionKeys.entity(namespace, key.entityId()), SortKeys.CONFIGS + key.resource());
      case ENTITY ->
          new ItemAddress(
              PartitionKeys.entity(namespace, key.entityId()),
              SortKeys.CONFIGS + SortKeys.DEFAULT_RESOURCE);
      case RESOURCE ->
          new ItemAddress(PartitionKeys.resource(namespace, key.resource()), SortKeys.CONFIG);
      case SYSTEM -> new ItemAddress(PartitionKeys.system(namespace), SortKeys.CONFIG);
      case CALL -> throw new IllegalArgumentException("level CALL is not stored");
    };
  }

  /**
   * Which record is at {@code address}.
   *
   * @throws IllegalArgumentException when it is no record's
   */
  public static RecordKey parse(ItemAddress address) {
    String partition = address.partition();
    String namespace = PartitionKeys.namespaceOf(partition);
    String kind = partition.substring(namespace.length());
    RecordKey key = null;
    if (kind.startsWith(PartitionKeys.ENTITY)) {
      key = ofEntity(namespace, kind.substring(PartitionKeys.ENTITY.length()), address.sort());
    } else if (kind.startsWith(PartitionKeys.RESOURCE)) {
      key =
          address.sort().equals(SortKeys.CONFIG)
              ? RecordKey.Config.ofResource(
                  namespace, kind.substring(PartitionKeys.RESOURCE.length()))
              : null;
    } else if (kind.equals(PartitionKeys.SYSTEM)) {
      key = ofSystem(namespace, address.sort());
    } else if (kind.startsWith(PartitionKeys.AUDIT)) {
      String id = after(SortKeys.AUDITS, address.sort());
      key =
          id == null
              ? null
              : new RecordKey.Audit(namespace, kind.substring(PartitionKeys.AUDIT.length()), id);
    }
    // Only what comes out as it went in: the keys of audit events and jobs check nothing.
    if (key == null || !of(key).equals(address)) {
      throw new IllegalArgumentException(
          "address '" + partition + "' '" + address.sort() + "' is no record's");
    }
    return key;
  }

  /** Whether an audit event is meant by {@code address}, well or badly. */
  public static boolean isAudit(ItemAddress address) {
    return address.sort().startsWith(SortKeys.AUDITS);
  }

  private static @Nullable RecordKey ofEntity(String namespace, String entityId, String sort) {
    if (sort.equals(SortKeys.META)) {
      return new RecordKey.Entity(namespace, entityId);
    }
    String resource = after(SortKeys.CONFIGS, sort);
    if (resource == null) {
      return null;
    }
    return resource.equals(SortKeys.DEFAULT_RESOURCE)
        ? RecordKey.Config.ofEntity(namespace, entityId)
        : RecordKey.Config.ofEntityResource(namespace, entityId, resource);
  }

  private static @Nullable RecordKey ofSystem(String namespace, String sort) {
    String job = after(SortKeys.JOBS, sort);
    if (job != null) {
      return new RecordKey.Job(namespace, job);
    }
    if (!namespace.equals(PartitionKeys.SYSTEM_NAMESPACE)) {
      return sort.equals(SortKeys.CONFIG) ? RecordKey.Config.ofSystem(namespace) : null;
    }
    if (sort.equals(SortKeys.VERSION)) {
      return new RecordKey.Schema();
    }
    String name = after(SortKeys.NAMESPACES, sort);
    if (name != null) {
      return new RecordKey.NamespaceByName(name);
    }
    String id = after(SortKeys.NAMESPACE_IDS, sort);
    return id == null ? null : new RecordKey.NamespaceById(id);
  }

  private static @Nullable String after(String prefix, String sort) {
    return sort.startsWith(prefix) ? sort.substring(prefix.length()) : null;
  }

  /** What belongs to the whole table, as the audit of its namespaces, has a namespace too. */
  public static void requireNamespace(String namespace) {
    if (!namespace.equals(PartitionKeys.SYSTEM_NAMESPACE)) {
      NameRules.requireNamespace(namespace);
    }
  }

  /** Checks a part of a key that is free text. It comes last in its key, so it may have a #. */
  public static void requireText(String field, String value, int maxBytes) {
    int bytes = ItemSize.utf8(value);
    if (bytes < 1 || bytes > maxBytes) {
      throw new IllegalArgumentException(
          field + " has " + bytes + " bytes, must have from 1 to " + maxBytes);
    }
    int at = 0;
    while (at < value.length()) {
      int c = value.codePointAt(at);
      // Half a character is stored as a question mark: two keys would become one.
      if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
        throw new IllegalArgumentException(
            field + " has a control character or half of one at position " + at);
      }
      at += Character.charCount(c);
    }
  }
}
