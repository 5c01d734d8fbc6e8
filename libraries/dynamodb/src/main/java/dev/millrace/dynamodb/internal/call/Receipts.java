package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Reads the receipt of a call from its answer: its cost as DynamoDB reports it, and where it
 * reports nothing, as AWS bills it; and the store's time. A refused condition costs the write all
 * the same, a read that finds nothing costs a read.
 */
final class Receipts {
  private static final String DATE_HEADER = "Date";
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final double LEAST_READ_UNITS = 1; // strongly consistent
  private static volatile ParsedDate lastDate = new ParsedDate("", Receipt.NO_TIME);

  private record ParsedDate(String text, long epochMs) {}

  private Receipts() {}

  /** The cost of two requests of one call together, at the time of the later one. */
  static Receipt plus(Receipt earlier, Receipt later) {
    return new Receipt(
        earlier.readUnits() + later.readUnits(),
        earlier.writeUnits() + later.writeUnits(),
        earlier.indexWriteUnits() + later.indexWriteUnits(),
        later.storeTimeMs() == Receipt.NO_TIME ? earlier.storeTimeMs() : later.storeTimeMs());
  }

  static Receipt of(GetItemResponse response) {
    ConsumedCapacity capacity = response.consumedCapacity();
    double reported = capacity == null ? 0 : units(capacity.capacityUnits());
    return read(Math.max(reported, LEAST_READ_UNITS), response);
  }

  static Receipt of(QueryResponse response) {
    ConsumedCapacity capacity = response.consumedCapacity();
    return read(capacity == null ? 0 : units(capacity.capacityUnits()), response);
  }

  static Receipt of(ScanResponse response) {
    ConsumedCapacity capacity = response.consumedCapacity();
    return read(capacity == null ? 0 : units(capacity.capacityUnits()), response);
  }

  static Receipt of(BatchGetItemResponse response) {
    double readUnits = 0;
    for (ConsumedCapacity capacity : response.consumedCapacity()) {
      readUnits += units(capacity.capacityUnits());
    }
    return read(readUnits, response);
  }

  private static Receipt read(double units, SdkResponse response) {
    return new Receipt(
        units,
        /* writeUnits= */ 0,
        /* indexWriteUnits= */ 0,
        storeTimeMs(response.sdkHttpResponse()));
  }

  static Receipt of(PutItemResponse response) {
    return ofWrite(response.consumedCapacity(), response.sdkHttpResponse());
  }

  static Receipt of(UpdateItemResponse response) {
    return ofWrite(response.consumedCapacity(), response.sdkHttpResponse());
  }

  static Receipt of(BatchWriteItemResponse response) {
    return ofWrites(response.consumedCapacity(), response.sdkHttpResponse());
  }

  private static Receipt ofWrite(@Nullable ConsumedCapacity capacity, SdkHttpResponse response) {
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
    return new Receipt(/* readUnits= */ 0, tableUnits, indexUnits, storeTimeMs(response));
  }

  private static Receipt ofWrites(List<ConsumedCapacity> capacities, SdkHttpResponse response) {
    Receipt sum = new Receipt(0, 0, 0, storeTimeMs(response));
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
    if (readUnits > 0) {
      return read(readUnits, response);
    }
    Receipt reported = ofWrites(response.consumedCapacity(), response.sdkHttpResponse());
    return new Receipt(
        /* readUnits= */ 0,
        Math.max(reported.writeUnits(), leastWriteUnits),
        reported.indexWriteUnits(),
        reported.storeTimeMs());
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
    return response == null ? Receipt.NO_TIME : storeTimeMs(response);
  }

  /** The time of the store's clock, or of this process's when the store does not report it. */
  static long nowMs(SdkHttpResponse response) {
    long storeTimeMs = storeTimeMs(response);
    return storeTimeMs == Receipt.NO_TIME ? System.currentTimeMillis() : storeTimeMs;
  }

  /**
   * The time in the {@code Date} header of {@code response} in epoch milliseconds, or {@link
   * Receipt#NO_TIME} when it has none. Every answer within a second has the same header, so it is
   * parsed once.
   */
  static long storeTimeMs(SdkHttpResponse response) {
    String date = response.firstMatchingHeader(DATE_HEADER).orElse("");
    ParsedDate last = lastDate;
    if (!last.text.equals(date)) {
      last = new ParsedDate(date, epochMs(date));
      lastDate = last;
    }
    return last.epochMs;
  }

  /** A date in the one form that HTTP servers send: {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
  static long epochMs(String date) {
    try {
      return Instant.from(HTTP_DATE.parse(date)).toEpochMilli();
    } catch (DateTimeException e) {
      return Receipt.NO_TIME;
    }
  }

  private static double units(@Nullable Double reported) {
    return reported == null ? 0 : reported;
  }
}
