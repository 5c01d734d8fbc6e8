package dev.millrace.dynamodb.internal.item;

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
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Every kind of record as an item and back. An item of which a part is missing or makes no sense is
 * an error that says so.
 */
public final class RecordCodec {
  /** What an entity need not have, so that an update must remove it when it has it no more. */
  public static final List<String> OPTIONAL_OF_ENTITY = EntityCodec.OPTIONAL;

  private RecordCodec() {}

  /** The primary key of a record. */
  public static Map<String, AttributeValue> key(RecordKey key) {
    ItemAddress address = RecordAddress.of(key);
    return Attributes.key(address.partition(), address.sort());
  }

  /** Everything that is stored of a record. */
  public static Map<String, AttributeValue> encode(StoredRecord record) {
    ItemWriter item = new ItemWriter(key(record.key()));
    if (record instanceof EntityRecord entity) {
      return EntityCodec.encode(item, entity).toItem();
    }
    if (record instanceof ConfigRecord config) {
      return ConfigCodec.encode(item, config).toItem();
    }
    if (record instanceof NamespaceRecord namespace) {
      return NamespaceCodec.encode(item, namespace).toItem();
    }
    if (record instanceof AuditEvent event) {
      return AuditCodec.encode(item, event).toItem();
    }
    if (record instanceof JobRecord job) {
      return JobCodec.encode(item, job).toItem();
    }
    return SchemaCodec.encode(item, (SchemaRecord) record).toItem();
  }

  /** The record {@code key}, read from its item. */
  public static StoredRecord decode(RecordKey key, Map<String, AttributeValue> attributes) {
    ItemReader item = new ItemReader(RecordAddress.of(key), attributes);
    if (key instanceof RecordKey.Entity entity) {
      return EntityCodec.decode(entity, item);
    }
    if (key instanceof RecordKey.Config config) {
      return ConfigCodec.decode(config, item);
    }
    if (key instanceof RecordKey.Audit audit) {
      return AuditCodec.decode(audit, item);
    }
    if (key instanceof RecordKey.Job job) {
      return JobCodec.decode(job, item);
    }
    if (key instanceof RecordKey.Schema) {
      return SchemaCodec.decode(item);
    }
    return NamespaceCodec.decode(key, item);
  }

  /** The record in {@code item}, which says itself which one it is. */
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
}
