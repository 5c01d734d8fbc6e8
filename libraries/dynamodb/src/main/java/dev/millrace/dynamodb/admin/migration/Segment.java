package dev.millrace.dynamodb.admin.migration;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.call.OldBucketStore;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One part of the table on one way through it. How far it is, is saved in the table after each page
 * in which something was changed, and now and then otherwise, so that work that was killed goes on
 * there; what was done of the page that it was at is found done.
 */
final class Segment {
  /** Most pages without a change that are read again after a kill. */
  static final int PAGES_PER_CHECKPOINT = 50;

  private static final String SEGMENTS = "segments";
  private static final String PARTITION = "partition";
  private static final String SORT = "sort";

  private final MigrationPass pass;
  private final int number;
  private final MigrationOptions options;
  private final OldBucketStore store;
  private final BucketWork work;
  private final Tally tally;
  private final LongSupplier clockMs;
  private final long startedAtMs;
  private @Nullable JobRecord saved;
  private @Nullable BucketKey last;
  private long examined;
  private int unsaved;

  Segment(
      MigrationPass pass,
      int number,
      MigrationOptions options,
      OldBucketStore store,
      BucketWork work,
      Tally tally,
      LongSupplier clockMs) {
    this.pass = pass;
    this.number = number;
    this.options = options;
    this.store = store;
    this.work = work;
    this.tally = tally;
    this.clockMs = clockMs;
    this.startedAtMs = clockMs.getAsLong();
  }

  /** Hears after each page; returns whether to go on. */
  interface Listener {
    boolean goOn();
  }

  /** Reads to the end; ends early only when the listener says so. */
  void run(Listener listener) {
    Map<String, AttributeValue> at = start();
    do { // ends: every page moves the cursor
      long before = tally.changed();
      OldBucketStore.Page page = store.scan(number, options.segments(), options.pageSize(), at);
      groups(page).forEach(work::on);
      tally.examined(page.examined());
      examined += page.examined();
      at = page.next();
      if (!listener.goOn()) {
        return;
      }
      if (!at.isEmpty()) {
        checkpoint(at, /* changed= */ tally.changed() > before);
      }
    } while (!at.isEmpty());
    if (saved != null) {
      store.forget(saved.key());
    }
  }

  private Map<String, AttributeValue> start() {
    if (pass == MigrationPass.LOOK || pass == MigrationPass.VERIFY) {
      return Map.of(); // writes nothing, and what it sums up would be a part
    }
    JobRecord found = store.checkpoint(key());
    saved = found;
    if (found == null || !options.resume()) {
      return Map.of();
    }
    Map<String, String> arguments = found.arguments();
    String partition = arguments.get(PARTITION);
    String sort = arguments.get(SORT);
    return partition == null
            || sort == null
            || !Integer.toString(options.segments()).equals(arguments.get(SEGMENTS))
        ? Map.of() // the table was divided otherwise: from the beginning
        : Attributes.key(partition, sort);
  }

  private RecordKey.Job key() {
    return new RecordKey.Job(
        PartitionKeys.SYSTEM_NAMESPACE,
        "migration-" + pass.name().toLowerCase(Locale.ROOT) + "-" + number);
  }

  private void checkpoint(Map<String, AttributeValue> at, boolean changed) {
    unsaved++;
    if (pass == MigrationPass.LOOK
        || pass == MigrationPass.VERIFY
        || (!changed && unsaved < PAGES_PER_CHECKPOINT)) {
      return;
    }
    unsaved = 0;
    ItemAddress address = Attributes.address(at);
    JobRecord record =
        new JobRecord(
            key(),
            saved == null ? 1 : saved.version() + 1,
            "migration",
            Map.of(
                SEGMENTS, Integer.toString(options.segments()),
                PARTITION, address.partition(),
                SORT, address.sort()),
            /* cursor= */ null,
            examined,
            tally.changed(),
            /* done= */ false,
            startedAtMs,
            clockMs.getAsLong(),
            BucketState.NEVER);
    store.save(record);
    saved = record;
  }

  /**
   * The buckets of a page, each once, with what the page has of them. One whose items began on the
   * page before was done there; one whose items may go on on the next page is read by itself.
   */
  private Map<BucketKey, OldBucketStore.@Nullable Found> groups(OldBucketStore.Page page) {
    Map<BucketKey, List<Map<String, AttributeValue>>> groups = new LinkedHashMap<>();
    BucketKey before = last;
    for (Map<String, AttributeValue> item : page.items()) {
      BucketKey key = bucketOf(Attributes.address(item));
      if (key != null && !key.equals(before)) {
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(item);
        last = key;
      }
    }
    Map<BucketKey, OldBucketStore.@Nullable Found> found = new LinkedHashMap<>();
    groups.forEach(
        (key, items) ->
            found.put(
                key,
                key.equals(last) && !page.next().isEmpty()
                    ? null
                    : new OldBucketStore.Found(OldItems.of(key, items), page.nowMs())));
    return found;
  }

  /** Whose item is at {@code address}; null, and noted, when it is nobody's. */
  private @Nullable BucketKey bucketOf(ItemAddress address) {
    if (!OldBucketAddress.matches(address)) {
      tally.corrupt(address, "it is in no namespace and of no entity");
      return null;
    }
    try {
      return OldBucketAddress.parse(address);
    } catch (IllegalArgumentException e) {
      tally.corrupt(address, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
