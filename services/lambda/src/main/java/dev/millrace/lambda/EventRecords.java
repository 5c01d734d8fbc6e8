package dev.millrace.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import dev.millrace.aggregator.StreamRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * A converter of Lambda's records to those of the aggregator. It never fails: missing parts stay
 * empty.
 */
final class EventRecords {
  private static final String SERVICE = "Service";
  private static final String TIME_TO_LIVE = "dynamodb.amazonaws.com";

  private EventRecords() {}

  static StreamRecord of(DynamodbStreamRecord record) {
    com.amazonaws.services.lambda.runtime.events.models.dynamodb.@Nullable StreamRecord change =
        record.getDynamodb();
    if (change == null) {
      return new StreamRecord(
          "", 0, kind(record.getEventName()), false, Map.of(), Map.of(), Map.of());
    }
    @Nullable String number = change.getSequenceNumber();
    @Nullable Date created = change.getApproximateCreationDateTime();
    return new StreamRecord(
        number == null ? "" : number,
        created == null ? 0 : created.toInstant().toEpochMilli(),
        kind(record.getEventName()),
        isTimeToLive(record.getUserIdentity()),
        item(change.getKeys()),
        item(change.getOldImage()),
        item(change.getNewImage()));
  }

  private static OperationType kind(@Nullable String name) {
    return name == null ? OperationType.UNKNOWN_TO_SDK_VERSION : OperationType.fromValue(name);
  }

  private static boolean isTimeToLive(@Nullable Identity identity) {
    return identity != null
        && SERVICE.equals(identity.getType())
        && TIME_TO_LIVE.equals(identity.getPrincipalId());
  }

  private static Map<String, AttributeValue> item(
      @Nullable
          Map<String, com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue>
          item) {
    if (item == null) {
      return Map.of();
    }
    Map<String, AttributeValue> converted = new HashMap<>();
    item.forEach((name, value) -> converted.put(name, value(value)));
    return converted;
  }

  private static AttributeValue value(
      com.amazonaws.services.lambda.runtime.events.models.dynamodb.@Nullable AttributeValue value) {
    if (value == null) {
      return AttributeValue.builder().build();
    }
    if (value.getS() != null) {
      return AttributeValue.fromS(value.getS());
    }
    if (value.getN() != null) {
      return AttributeValue.fromN(value.getN());
    }
    if (value.getB() != null) {
      return AttributeValue.fromB(SdkBytes.fromByteBuffer(value.getB()));
    }
    if (value.getSS() != null) {
      return AttributeValue.fromSs(List.copyOf(value.getSS()));
    }
    if (value.getNS() != null) {
      return AttributeValue.fromNs(List.copyOf(value.getNS()));
    }
    if (value.getBS() != null) {
      return AttributeValue.fromBs(each(value.getBS(), SdkBytes::fromByteBuffer));
    }
    if (value.getL() != null) {
      return AttributeValue.fromL(each(value.getL(), EventRecords::value));
    }
    if (value.getM() != null) {
      return AttributeValue.fromM(item(value.getM()));
    }
    if (value.getBOOL() != null) {
      return AttributeValue.fromBool(value.getBOOL());
    }
    return value.getNULL() != null
        ? AttributeValue.fromNul(true)
        : AttributeValue.builder().build();
  }

  private static <A, B> List<B> each(Collection<A> values, Function<A, B> conversion) {
    List<B> converted = new ArrayList<>();
    values.forEach(value -> converted.add(conversion.apply(value)));
    return converted;
  }
}
