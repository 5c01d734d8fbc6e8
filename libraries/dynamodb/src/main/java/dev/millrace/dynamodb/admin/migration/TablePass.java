package dev.millrace.dynamodb.admin.migration;

import dev.millrace.BucketKey;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.admin.migration.MigrationReport.Pass;
import dev.millrace.dynamodb.admin.migration.MigrationTally.Count;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One way through the table, with a thread for each segment; the first segment that fails ends all.
 *
 * <p>The place that a segment has reached is saved in the table after each page in which something
 * was changed, and now and then otherwise, so that work that was killed goes on there. What was
 * done of the page that it was at is found done.
 */
final class TablePass {
  /** Most pages without a change that are read again after a kill. */
  private static final int PAGES_PER_CHECKPOINT = 50;

  private static final String SEGMENTS = "segments";
  private static final String PARTITION = "partition";
  private static final String SORT = "sort";
  private final Pass pass;
  private final OldBucketStore store;
  private final MigrationOptions options;
  private final Consumer<MigrationReport> progress;
  private final MigrationTally tally;
  private final BucketMigration buckets;
  private volatile boolean failed;

  TablePass(
      Pass pass,
      OldBucketStore store,
      String table,
      MigrationOptions options,
      Consumer<MigrationReport> progress) {
    this.pass = pass;
    this.store = store;
    this.options = options;
    this.progress = progress;
    this.tally = new MigrationTally(pass, store.itemCount());
    this.buckets = new BucketMigration(pass, store, table, tally);
  }

  MigrationReport run() {
    ExecutorService threads = Executors.newFixedThreadPool(options.segments(), TablePass::daemon);
    try {
      List<Future<?>> segments = new ArrayList<>();
      for (int number = 0; number < options.segments(); number++) {
        segments.add(threads.submit(new Segment(number)::run));
      }
      for (Future<?> segment : segments) {
        await(segment);
      }
    } finally {
      failed = true; // segments that still run, because another failed, stop after their page
      threads.shutdown();
    }
    return tally.report();
  }

  private static void await(Future<?> segment) {
    try {
      segment.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MillraceException("the migration was interrupted; it can be resumed", Map.of(), e);
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "millrace-migration");
    thread.setDaemon(true);
    return thread;
  }

  /** One part of the table. */
  private final class Segment {
    private final RecordKey.Job key;
    private final int number;
    private final long startedAtMs = System.currentTimeMillis();
    private @Nullable JobRecord saved;
    private @Nullable BucketKey last;
    private long examined;
    private int unsaved;

    Segment(int number) {
      this.number = number;
      this.key =
          new RecordKey.Job(
              PartitionKeys.SYSTEM_NAMESPACE,
              "migration-" + pass.name().toLowerCase(Locale.ROOT) + "-" + number);
    }

    void run() {
      boolean done = false;
      try {
        scan();
        done = true;
      } finally {
        failed |= !done;
      }
    }

    private void scan() {
      Map<String, AttributeValue> at = start();
      do { // ends: every page moves the cursor
        long before = tally.report().changed();
        OldBucketStore.Page page = store.scan(number, options.segments(), options.pageSize(), at);
        bucketsOf(page).forEach(buckets::process);
        tally.add(Count.EXAMINED, page.examined());
        examined += page.examined();
        at = page.next();
        MigrationReport soFar = tally.report();
        progress.accept(soFar);
        if (failed) {
          return;
        }
        if (!at.isEmpty()) {
          checkpoint(at, soFar, /* changed= */ soFar.changed() > before);
        }
      } while (!at.isEmpty());
      if (saved != null) {
        store.delete(key);
      }
    }

    private boolean writesNothing() {
      return pass == Pass.LOOK || pass == Pass.VERIFY;
    }

    private Map<String, AttributeValue> start() {
      if (writesNothing()) {
        return Map.of(); // the sums of a resumed pass would be those of a part
      }
      saved = (JobRecord) store.get(key);
      if (saved == null || !options.resume()) {
        return Map.of();
      }
      Map<String, String> arguments = saved.arguments();
      String partition = arguments.get(PARTITION);
      String sort = arguments.get(SORT);
      return partition == null
              || sort == null
              || !Integer.toString(options.segments()).equals(arguments.get(SEGMENTS))
          ? Map.of() // the table was divided otherwise: from the beginning
          : Attributes.key(partition, sort);
    }

    private void checkpoint(
        Map<String, AttributeValue> at, MigrationReport soFar, boolean changed) {
      unsaved++;
      if (writesNothing() || (!changed && unsaved < PAGES_PER_CHECKPOINT)) {
        return;
      }
      unsaved = 0;
      ItemAddress address = Attributes.address(at);
      JobRecord record =
          new JobRecord(
              key,
              saved == null ? 1 : saved.version() + 1,
              "migration",
              Map.of(
                  SEGMENTS, Integer.toString(options.segments()),
                  PARTITION, address.partition(),
                  SORT, address.sort()),
              /* cursor= */ null,
              examined,
              soFar.changed(),
              /* done= */ false,
              startedAtMs,
              System.currentTimeMillis(),
              BucketState.NEVER);
      store.put(record);
      saved = record;
    }

    /**
     * The buckets of a page, each once, with what the page has of them. One whose items began on
     * the page before was done there; one whose items may go on on the next page is read by itself.
     */
    private Map<BucketKey, OldBucketStore.@Nullable Found> bucketsOf(OldBucketStore.Page page) {
      Map<BucketKey, List<Map<String, AttributeValue>>> groups = new LinkedHashMap<>();
      BucketKey before = last;
      for (Map<String, AttributeValue> item : page.items()) {
        BucketKey bucket = bucketOf(Attributes.address(item));
        if (bucket != null && !bucket.equals(before)) {
          groups.computeIfAbsent(bucket, k -> new ArrayList<>()).add(item);
          last = bucket;
        }
      }
      Map<BucketKey, OldBucketStore.@Nullable Found> found = new LinkedHashMap<>();
      groups.forEach(
          (bucket, items) ->
              found.put(
                  bucket,
                  bucket.equals(last) && !page.next().isEmpty()
                      ? null
                      : new OldBucketStore.Found(OldItems.of(bucket, items), page.nowMs())));
      return found;
    }

    /** The bucket of the item at {@code address}; null, and counted, when it is none's. */
    private @Nullable BucketKey bucketOf(ItemAddress address) {
      try {
        if (OldBucketAddress.matches(address)) {
          return OldBucketAddress.parse(address);
        }
        tally.addCorrupt(address, "it is in no namespace and of no entity");
      } catch (IllegalArgumentException e) {
        tally.addCorrupt(address, String.valueOf(e.getMessage()));
      }
      return null;
    }
  }
}
