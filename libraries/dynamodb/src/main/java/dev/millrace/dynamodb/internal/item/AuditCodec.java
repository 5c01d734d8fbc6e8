package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import dev.millrace.dynamodb.internal.schema.TableIndex;

/** An audit event as an item and back. */
final class AuditCodec {
  private AuditCodec() {}

  static ItemWriter encode(ItemWriter item, AuditEvent event) {
    RecordKey.Audit key = event.key();
    return item.number(RecordAttributes.VERSION, event.version())
        .number(RecordAttributes.AT, event.atMs())
        .text(RecordAttributes.ACTOR, event.actor())
        .text(RecordAttributes.ACTION, event.action())
        .textsByName(RecordAttributes.BEFORE, event.before())
        .textsByName(RecordAttributes.AFTER, event.after())
        .numberUnless(BucketState.NEVER, Attributes.TTL, event.expiresAtSeconds())
        .index(TableIndex.DIRECTORY, IndexKeys.audit(key.namespace()), key.id());
  }

  static AuditEvent decode(RecordKey.Audit key, ItemReader item) {
    return new AuditEvent(
        key,
        item.number(RecordAttributes.AT),
        item.text(RecordAttributes.ACTOR),
        item.text(RecordAttributes.ACTION),
        item.textsByName(RecordAttributes.BEFORE),
        item.textsByName(RecordAttributes.AFTER),
        item.number(Attributes.TTL, BucketState.NEVER));
  }
}
