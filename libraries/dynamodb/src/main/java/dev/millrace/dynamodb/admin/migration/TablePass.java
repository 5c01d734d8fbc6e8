package dev.millrace.dynamodb.admin.migration;

import dev.millrace.MillraceException;
import dev.millrace.dynamodb.internal.call.OldBucketStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** One way through the table, with a thread for each segment. The first that fails ends all. */
final class TablePass {
  private final MigrationPass pass;
  private final OldBucketStore store;
  private final String table;
  private final MigrationOptions options;
  private final MigrationProgress progress;
  private final Tally tally;
  private final AtomicBoolean failed = new AtomicBoolean();

  TablePass(
      MigrationPass pass,
      OldBucketStore store,
      String table,
      MigrationOptions options,
      MigrationProgress progress) {
    this.pass = pass;
    this.store = store;
    this.table = table;
    this.options = options;
    this.progress = progress;
    this.tally = new Tally(pass);
  }

  MigrationReport run() {
    long expected = store.itemCount();
    ExecutorService threads = Executors.newFixedThreadPool(options.segments(), TablePass::daemon);
    try {
      List<Future<?>> segments = new ArrayList<>();
      for (int number = 0; number < options.segments(); number++) {
        Segment segment =
            new Segment(
                pass,
                number,
                options,
                store,
                new BucketWork(pass, store, table, tally),
                tally,
                System::currentTimeMillis);
        segments.add(threads.submit(() -> run(segment, expected)));
      }
      for (Future<?> segment : segments) {
        await(segment);
      }
    } finally {
      failed.set(true); // who is yet at it, because another failed, stops after its page
      threads.shutdown();
    }
    return tally.report();
  }

  private void run(Segment segment, long expected) {
    boolean done = false;
    try {
      segment.run(
          () -> {
            progress.at(pass, tally.examined(), expected, tally.changed());
            return !failed.get();
          });
      done = true;
    } finally {
      if (!done) {
        failed.set(true);
      }
    }
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
}
