package dev.millrace.benchmarks.load;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.AggregatorListener;
import dev.millrace.aggregator.RefillSettings;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.testkit.InMemoryUsageStore;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The stream aggregator, refilling what others write. Its usage goes nowhere. */
public final class Refiller implements Callers {
  private static final int MAX_BATCH = 1_000;
  private static final long WAIT_MS = 50;

  private final Course course;
  private final StreamTap tap;
  private final Aggregator aggregator;
  private final Thread reader = new Thread(this::read, "bench-refiller");
  private final LongAdder refills = new LongAdder();
  private final LongAdder writes = new LongAdder();

  /** One that reads what {@code tap} tells and refills in {@code store}. */
  public Refiller(Course course, StreamTap tap, BlockingStore store) {
    this.course = course;
    this.tap = tap;
    this.aggregator =
        Aggregator.builder(new InMemoryUsageStore(), letters -> {})
            .refill(
                (call, timeoutMs) -> {
                  if (call.writes()) {
                    count(writes);
                  }
                  return store.execute(call, timeoutMs);
                },
                RefillSettings.defaults())
            .listener(
                new AggregatorListener() {
                  @Override
                  public void onRefilled(BucketKey key) {
                    count(refills);
                  }
                })
            .build();
    reader.setDaemon(true);
  }

  private void count(LongAdder counter) {
    if (course.stage() == Stage.MEASURED) {
      counter.increment();
    }
  }

  @Override
  public void start() {
    reader.start();
  }

  private void read() {
    try {
      while (!course.isEnded()) {
        List<StreamRecord> records = tap.poll(MAX_BATCH, WAIT_MS);
        if (!records.isEmpty()) {
          var unused = aggregator.process(records);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // ends it early, as asked
    }
  }

  @Override
  public void awaitStopped() throws InterruptedException {
    reader.join();
  }

  /** Shards that were refilled in the measured time. */
  public long refills() {
    return refills.sum();
  }

  /** Writes that were tried for it, those included that came too late. */
  public long writes() {
    return writes.sum();
  }
}
