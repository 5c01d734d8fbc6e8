package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.usage.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One batch, the content of its records, and their results. */
final class StreamBatch {
  private final List<StreamRecord> records;
  private final List<RecordContent> readings;
  private final BitSet applied = new BitSet();
  private final BitSet known = new BitSet();

  /** Records that the usage of some windows lacks, because their stored usage is corrupt. */
  private final Map<Integer, MissingUsage> lacks = new HashMap<>();

  private int firstFailed;
  private @Nullable Throwable failure;

  /** The windows that lack a record, and the reason. */
  private record MissingUsage(List<Window> windows, String error) {}

  /** Reads all of {@code records}; without an archive, audit events are ignored. */
  StreamBatch(List<StreamRecord> records, boolean archived) {
    this.records = records;
    this.readings = new ArrayList<>(records.size());
    for (StreamRecord record : records) {
      RecordContent reading = RecordReader.read(record);
      boolean skipped = reading instanceof RecordContent.Audit && !archived;
      readings.add(skipped ? RecordContent.IRRELEVANT : reading);
    }
    this.firstFailed = records.size();
  }

  int size() {
    return readings.size();
  }

  RecordContent reading(int index) {
    return readings.get(index);
  }

  /** Marks the record as done before this batch. */
  void known(int index) {
    known.set(index);
  }

  /** Marks the record as added to usage. */
  void applied(int index) {
    applied.set(index);
  }

  /** Collects the results of the usage writes of the batch. */
  void usageWritten(List<PendingUsage> pending, @Nullable Throwable cause) {
    for (PendingUsage item : pending) {
      item.appliedIndexes().forEach(applied::set);
      item.spoiltIndexes().forEach(index -> lacks(index, item.key().window(), item.error()));
      int left = item.firstLeft();
      if (left < size()) {
        failed(left, cause == null ? new IllegalStateException("usage was left over") : cause);
      }
    }
  }

  /** Marks the record as impossible to add to the usage of {@code window}, now or later. */
  void lacks(int index, Window window, String error) {
    lacks
        .computeIfAbsent(index, first -> new MissingUsage(new ArrayList<>(), error))
        .windows
        .add(window);
  }

  /** Marks the record as not done; the following ones count as not done either. */
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
      if (readings.get(i) instanceof RecordContent.Audit audit) {
        events.add(audit.event());
      }
    }
    return events;
  }

  void notArchived(Throwable cause) {
    failed(first(i -> readings.get(i) instanceof RecordContent.Audit), cause);
  }

  /** The records that were invalid or could not be counted, before the first one that failed. */
  List<DeadLetter> letters() {
    List<DeadLetter> letters = new ArrayList<>();
    for (int i = 0; i < firstFailed; i++) {
      @Nullable MissingUsage lack = lacks.get(i);
      if (readings.get(i) instanceof RecordContent.Poison poison) {
        letters.add(new DeadLetter(records.get(i), poison.error()));
      } else if (lack != null) {
        List<Window> windows =
            lack.windows().stream().sorted(Comparator.comparing(Window::toString)).toList();
        letters.add(new DeadLetter(records.get(i), lack.error(), windows));
      }
    }
    return letters;
  }

  void notPutAside(Throwable cause) {
    failed(first(this::isPutAside), cause);
  }

  private boolean isPutAside(int index) {
    return readings.get(index) instanceof RecordContent.Poison || lacks.containsKey(index);
  }

  private int first(IntPredicate wanted) {
    for (int i = 0; i < size(); i++) {
      if (wanted.test(i)) {
        return i;
      }
    }
    return size();
  }

  /** The bucket writes that are done now. */
  List<RecordContent.Bucket> doneBuckets() {
    return buckets(firstFailed);
  }

  /** The bucket writes that were not known before, done or not. */
  List<RecordContent.Bucket> freshBuckets() {
    return buckets(size());
  }

  private List<RecordContent.Bucket> buckets(int end) {
    List<RecordContent.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < end; i++) {
      if (readings.get(i) instanceof RecordContent.Bucket bucket && !known.get(i)) {
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
      RecordContent reading = readings.get(i);
      if (isPutAside(i)) {
        poison++;
      } else if (reading instanceof RecordContent.Audit) {
        archived++;
      } else if (applied.get(i)) {
        appliedCount++;
      } else if (reading instanceof RecordContent.Bucket bucket
          && !bucket.consumedMilli().isEmpty()) {
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
