package dev.millrace.dynamodb.client;

import dev.millrace.core.store.StoreReply.Receipt;
import dev.millrace.dynamodb.schema.ItemSize;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What calls cost: as DynamoDB reports it, and where it reports nothing, as AWS bills it. A refused
 * condition costs the write all the same, a read that finds nothing costs a read.
 */
final class Receipts {
  private static final double LEAST_READ_UNITS = 1; // strongly consistent

  private Receipts() {}

  /** What two requests of one call cost together, at the time that the later one told. */
  static Receipt plus(Receipt earlier, Receipt later) {
    return new Receipt(
        earlier.readUnits() + later.readUnits(),
        earlier.writeUnits() + later.writeUnits(),
        earlier.indexWriteUnits() + later.indexWriteUnits(),
        later.storeTimeMs() == Receipt.NO_TIME ? earlier.storeTimeMs() : later.storeTimeMs());
  }

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

  /** Of a request that reads many: as DynamoDB reports it. */
  static Receipt ofReads(Collection<ConsumedCapacity> capacities, SdkHttpResponse response) {
    double readUnits = 0;
    for (ConsumedCapacity capacity : capacities) {
      readUnits += units(capacity.capacityUnits());
    }
    return new Receipt(
        readUnits, /* writeUnits= */ 0, /* indexWriteUnits= */ 0, HttpDate.of(response));
  }

  /** Of a request that writes many. */
  static Receipt ofWrites(Collection<ConsumedCapacity> capacities, SdkHttpResponse response) {
    Receipt sum = new Receipt(0, 0, 0, HttpDate.of(response));
    for (ConsumedCapacity capacity : capacities) {
      sum = plus(sum, ofWrite(capacity, response));
    }
    return sum;
  }

  /**
   * Of a transaction that was made.
   *
   * @param leastWriteUnits what it costs at least: DynamoDB Local reports less. One that had been
   *     made before, under the same token, is not written again but read
   */
  static Receipt ofTransaction(TransactWriteItemsResponse response, int leastWriteUnits) {
    double readUnits = 0;
    for (ConsumedCapacity capacity : response.consumedCapacity()) {
      readUnits += units(capacity.readCapacityUnits());
    }
    long storeTimeMs = HttpDate.of(response.sdkHttpResponse());
    if (readUnits > 0) {
      return new Receipt(readUnits, /* writeUnits= */ 0, /* indexWriteUnits= */ 0, storeTimeMs);
    }
    Receipt reported = ofWrites(response.consumedCapacity(), response.sdkHttpResponse());
    return new Receipt(
        /* readUnits= */ 0,
        Math.max(reported.writeUnits(), leastWriteUnits),
        reported.indexWriteUnits(),
        storeTimeMs);
  }

  static Receipt ofCancellation(TransactionCanceledException cancelled, int writeUnits) {
    return new Receipt(
        /* readUnits= */ 0, writeUnits, /* indexWriteUnits= */ 0, storeTimeMs(cancelled));
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
