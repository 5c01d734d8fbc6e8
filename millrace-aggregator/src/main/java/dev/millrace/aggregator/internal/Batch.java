package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.directory.AuditEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One batch, what its records tell, and what has become of them. */
final class Batch {
  private final List<StreamRecord> records;
  private final List<Reading> readings;
  private final BitSet applied = new BitSet();
  private final BitSet known = new BitSet();
  private int firstFailed;
  private @Nullable Throwable failure;

  /** Reads all of {@code records}; without an archive, audit events are of no interest. */
  Batch(List<StreamRecord> records, boolean archived) {
    this.records = records;
    this.readings = new ArrayList<>(records.size());
    for (StreamRecord record : records) {
      Reading reading = RecordReader.read(record);
      boolean skipped = reading instanceof Reading.Audit && !archived;
      readings.add(skipped ? Reading.Nothing.INSTANCE : reading);
    }
    this.firstFailed = records.size();
  }

  int size() {
    return readings.size();
  }

  Reading reading(int index) {
    return readings.get(index);
  }

  /** The record was done before this batch came. */
  void known(int index) {
    known.set(index);
  }

  /** The record was added to usage. */
  void applied(int index) {
    applied.set(index);
  }

  /** What became of the usage that follows from the batch. */
  void usageWritten(List<Pending> pending, @Nullable Throwable cause) {
    for (Pending item : pending) {
      item.appliedIndexes().forEach(applied::set);
      int left = item.firstLeft();
      if (left < size()) {
        failed(left, cause == null ? new IllegalStateException("usage was left over") : cause);
      }
    }
  }

  /** The record is not done, and what comes after it counts as not done either. */
  void failed(int index, Throwable cause) {
    if (index < firstFailed) {
      firstFailed = index;
      failure = cause;
    }
  }

  /** The audit events before the first record that failed. */
  List<AuditEvent> events() {
    List<AuditEvent> events = new ArrayList<>();
    for (int i = 0; i < firstFailed; i++) {
      if (readings.get(i) instanceof Reading.Audit audit) {
        events.add(audit.event());
      }
    }
    return events;
  }

  void notArchived(Throwable cause) {
    failed(first(reading -> reading instanceof Reading.Audit), cause);
  }

  /** The records that could not be understood, before the first one that failed. */
  List<DeadLetter> letters() {
    List<DeadLetter> letters = new ArrayList<>();
    for (int i = 0; i < firstFailed; i++) {
      if (readings.get(i) instanceof Reading.Poison poison) {
        letters.add(new DeadLetter(records.get(i), poison.error()));
      }
    }
    return letters;
  }

  void notPutAside(Throwable cause) {
    failed(first(reading -> reading instanceof Reading.Poison), cause);
  }

  private int first(Predicate<Reading> wanted) {
    for (int i = 0; i < size(); i++) {
      if (wanted.test(readings.get(i))) {
        return i;
      }
    }
    return size();
  }

  /** The writes of buckets that are done now. */
  List<Reading.Bucket> doneBuckets() {
    return buckets(firstFailed);
  }

  /** The writes of buckets that were not known before, done or not. */
  List<Reading.Bucket> freshBuckets() {
    return buckets(size());
  }

  private List<Reading.Bucket> buckets(int end) {
    List<Reading.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < end; i++) {
      if (readings.get(i) instanceof Reading.Bucket bucket && !known.get(i)) {
        buckets.add(bucket);
      }
    }
    return buckets;
  }

  BatchResult result() {
    int appliedCount = 0;
    int duplicates = 0;
    int ignored = 0;
    int poison = 0;
    int archived = 0;
    for (int i = 0; i < firstFailed; i++) {
      Reading reading = readings.get(i);
      if (reading instanceof Reading.Poison) {
        poison++;
      } else if (reading instanceof Reading.Audit) {
        archived++;
      } else if (applied.get(i)) {
        appliedCount++;
      } else if (reading instanceof Reading.Bucket bucket && !bucket.consumedMilli().isEmpty()) {
        duplicates++;
      } else {
        ignored++;
      }
    }
    boolean failed = firstFailed < size();
    return new BatchResult(
        size(),
        appliedCount,
        duplicates,
        ignored,
        poison,
        archived,
        failed ? records.get(firstFailed).sequenceNumber() : null,
        failed ? failure : null);
  }
}
