package dev.millrace.worker.kcl;

import dev.millrace.aggregator.StreamRecord;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Identity;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** The SDK's records as ours. Never fails: what is missing is left empty for the aggregator. */
public final class SdkRecords {
  private static final String SERVICE = "Service";
  private static final String TIME_TO_LIVE = "dynamodb.amazonaws.com";

  private SdkRecords() {}

  /** {@code record} as it came from the stream with the label {@code stream}. */
  public static StreamRecord of(String stream, Record record) {
    software.amazon.awssdk.services.dynamodb.model.@Nullable StreamRecord change =
        record.dynamodb();
    if (change == null) {
      return new StreamRecord(
          stream, "", 0, kind(record.eventName()), false, Map.of(), Map.of(), Map.of());
    }
    @Nullable String number = change.sequenceNumber();
    @Nullable Instant created = change.approximateCreationDateTime();
    return new StreamRecord(
        stream,
        number == null ? "" : number,
        created == null ? 0 : created.toEpochMilli(),
        kind(record.eventName()),
        isTimeToLive(record.userIdentity()),
        image(change.hasKeys(), change.keys()),
        image(change.hasOldImage(), change.oldImage()),
        image(change.hasNewImage(), change.newImage()));
  }

  private static Map<String, AttributeValue> image(
      boolean present, Map<String, AttributeValue> image) {
    return present ? image : Map.of();
  }

  private static boolean isTimeToLive(@Nullable Identity identity) {
    return identity != null
        && SERVICE.equals(identity.type())
        && TIME_TO_LIVE.equals(identity.principalId());
  }

  private static OperationType kind(@Nullable OperationType type) {
    return type == null ? OperationType.UNKNOWN_TO_SDK_VERSION : type;
  }
}
