package dev.millrace.dynamodb.client;

import dev.millrace.core.store.Receipt;
import dev.millrace.dynamodb.schema.ItemSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/**
 * What calls cost: as DynamoDB reports it, and where it reports nothing, as AWS bills it. A refused
 * condition costs the write all the same, a read that finds nothing costs a read.
 */
final class Receipts {
  private static final double LEAST_READ_UNITS = 1; // strongly consistent

  private Receipts() {}

  static Receipt ofRead(@Nullable ConsumedCapacity capacity, SdkHttpResponse response) {
    double reported = capacity == null ? 0 : units(capacity.capacityUnits());
    return new Receipt(
        Math.max(reported, LEAST_READ_UNITS),
        /* writeUnits= */ 0,
        /* indexWriteUnits= */ 0,
        HttpDate.of(response));
  }

  static Receipt ofWrite(@Nullable ConsumedCapacity capacity, SdkHttpResponse response) {
    double indexUnits = 0;
    double tableUnits = 0;
    if (capacity != null) {
      for (Capacity index : capacity.globalSecondaryIndexes().values()) {
        indexUnits += units(index.capacityUnits());
      }
      tableUnits =
          capacity.table() == null
              ? units(capacity.capacityUnits()) - indexUnits
              : units(capacity.table().capacityUnits());
    }
    return new Receipt(/* readUnits= */ 0, tableUnits, indexUnits, HttpDate.of(response));
  }

  static Receipt ofRefusal(ConditionalCheckFailedException refusal) {
    Map<String, AttributeValue> item = refusal.hasItem() ? refusal.item() : Map.of();
    return new Receipt(
        /* readUnits= */ 0,
        ItemSize.writeUnits(item),
        /* indexWriteUnits= */ 0,
        storeTimeMs(refusal));
  }

  /**
   * Of a call that failed: nothing is known to have been spent, but the clock may have been seen.
   */
  static Receipt ofFailure(Throwable failure) {
    if (failure instanceof AwsServiceException answered) {
      long storeTimeMs = storeTimeMs(answered);
      return storeTimeMs == Receipt.NO_TIME ? Receipt.NONE : new Receipt(0, 0, 0, storeTimeMs);
    }
    return Receipt.NONE;
  }

  private static long storeTimeMs(AwsServiceException answered) {
    SdkHttpResponse response =
        answered.awsErrorDetails() == null ? null : answered.awsErrorDetails().sdkHttpResponse();
    return response == null ? Receipt.NO_TIME : HttpDate.of(response);
  }

  private static double units(@Nullable Double reported) {
    return reported == null ? 0 : reported;
  }
}
