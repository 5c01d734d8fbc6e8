package dev.millrace.aggregator.internal;

import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.internal.item.BucketChange;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * The parser of stream records. Never throws, whatever the content: an invalid record gives the
 * reason.
 *
 * <p>The time of a record is that of the stream. The item's own refill timestamp is the time of a
 * claim, which may be hours older than the consumption.
 */
final class RecordReader {
  private static final int MAX_ERROR = 300;

  private RecordReader() {}

  static RecordContent read(StreamRecord record) {
    try {
      return understood(record);
    } catch (IllegalArgumentException | MillraceException e) {
      return new RecordContent.Poison(text(e));
    } catch (RuntimeException e) { // whatever a record contains
      return new RecordContent.Poison(e.getClass().getSimpleName() + ": " + text(e));
    }
  }

  private static RecordContent understood(StreamRecord record) {
    if (record.kind() == OperationType.REMOVE) {
      return RecordContent.IRRELEVANT; // its consumption is counted already, expired or not
    }
    ItemAddress address = address(record);
    if (record.kind() == OperationType.UNKNOWN_TO_SDK_VERSION) {
      throw new IllegalArgumentException("neither inserted nor modified nor removed");
    }
    if (RecordAddress.isAudit(address)) {
      return audit(record);
    }
    BucketChange change = BucketChange.read(address, record.oldImage(), record.newImage());
    if (change == null) {
      return RecordContent.IRRELEVANT;
    }
    boolean inserted = record.kind() == OperationType.INSERT;
    if (inserted != record.oldImage().isEmpty()) {
      throw new IllegalArgumentException(
          inserted ? "inserted, and yet was there before" : "modified, and yet was not there");
    }
    if (change.consumedMilli().size() > LimitSet.MAX_LIMITS) {
      throw new IllegalArgumentException(
          change.consumedMilli().size() + " limits, more than a bucket can have");
    }
    if (!Window.covers(record.createdAtMs())) {
      throw new IllegalArgumentException("made at " + record.createdAtMs() + " ms");
    }
    return new RecordContent.Bucket(
        change.key(),
        RecordContent.Bucket.source(record.stream(), change),
        SequenceNumber.of(record.sequenceNumber()),
        record.createdAtMs(),
        change.consumedMilli(),
        change.load());
  }

  private static ItemAddress address(StreamRecord record) {
    ItemAddress image = requireAddress(record.newImage());
    ItemAddress key = record.keys().isEmpty() ? image : requireAddress(record.keys());
    if (!key.equals(image)) {
      throw new IllegalArgumentException("the item is not that of the key");
    }
    return key;
  }

  private static ItemAddress requireAddress(Map<String, AttributeValue> item) {
    @Nullable ItemAddress address = BucketChange.addressOf(item);
    if (address == null) {
      throw new IllegalArgumentException("an item without a key");
    }
    return address;
  }

  private static RecordContent audit(StreamRecord record) {
    return record.kind() == OperationType.INSERT
        ? new RecordContent.Audit((AuditEvent) RecordCodec.decode(record.newImage()))
        : RecordContent.IRRELEVANT; // an event is written once; later changes concern its expiry
  }

  private static String text(RuntimeException e) {
    String text = e.toString();
    return text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) + "…" : text;
  }
}
