package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
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
 * Reads the receipt of a call from its answer: its cost as DynamoDB reports it, and where it
 * reports nothing, as AWS bills it; and the store's time. A refused condition costs the write all
 * the same, a read that finds nothing costs a read.
 */
final class Receipts {
  private static final String DATE_HEADER = "Date";
  private static final int DATE_LENGTH = 29;
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int MONTH_LETTERS = 3;

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
        storeTimeMs(response));
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
    return new Receipt(/* readUnits= */ 0, tableUnits, indexUnits, storeTimeMs(response));
  }

  /** Of a request that reads many: as DynamoDB reports it. */
  static Receipt ofReads(Collection<ConsumedCapacity> capacities, SdkHttpResponse response) {
    double readUnits = 0;
    for (ConsumedCapacity capacity : capacities) {
      readUnits += units(capacity.capacityUnits());
    }
    return new Receipt(
        readUnits, /* writeUnits= */ 0, /* indexWriteUnits= */ 0, storeTimeMs(response));
  }

  /** Of a request that writes many. */
  static Receipt ofWrites(Collection<ConsumedCapacity> capacities, SdkHttpResponse response) {
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
    long storeTimeMs = storeTimeMs(response.sdkHttpResponse());
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
    return response == null ? Receipt.NO_TIME : storeTimeMs(response);
  }

  /**
   * The time in the {@code Date} header of {@code response} in epoch milliseconds, or {@link
   * Receipt#NO_TIME} when it does not say.
   */
  static long storeTimeMs(SdkHttpResponse response) {
    Optional<String> date = response.firstMatchingHeader(DATE_HEADER);
    return date.isPresent() ? epochMs(date.get()) : Receipt.NO_TIME;
  }

  /**
   * A date in the one form that HTTP servers send: {@code Sun, 06 Nov 1994 08:49:37 GMT}. Read by
   * position, because every answer has one and a general parser costs more than reading the
   * remainder of the answer.
   */
  static long epochMs(String date) {
    if (date.length() != DATE_LENGTH || !date.endsWith(" GMT")) {
      return Receipt.NO_TIME;
    }
    int day = number(date, 5, 7);
    int month = MONTHS.indexOf(date.substring(8, 8 + MONTH_LETTERS));
    int year = number(date, 12, 16);
    int hour = number(date, 17, 19);
    int minute = number(date, 20, 22);
    int second = number(date, 23, 25);
    boolean readable =
        day > 0 && month >= 0 && month % MONTH_LETTERS == 0 && year > 0 && hour >= 0 && minute >= 0;
    if (!readable || second < 0) {
      return Receipt.NO_TIME;
    }
    long days = epochDays(year, month / MONTH_LETTERS + 1, day);
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000;
  }

  /** Days since 1970 in the Gregorian calendar, counted in years that begin in March. */
  private static long epochDays(int year, int month, int day) {
    long y = month > 2 ? year : year - 1;
    long marchMonth = month > 2 ? month - 3 : month + 9;
    long leapDays = y / 4 - y / 100 + y / 400;
    return y * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468;
  }

  private static int number(String text, int start, int end) {
    int number = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }

  private static double units(@Nullable Double reported) {
    return reported == null ? 0 : reported;
  }
}
