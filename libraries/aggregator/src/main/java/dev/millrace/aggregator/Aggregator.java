package dev.millrace.aggregator;

import dev.millrace.aggregator.internal.AggregatorListeners;
import dev.millrace.aggregator.internal.BucketGrowth;
import dev.millrace.aggregator.internal.GrowthSettings;
import dev.millrace.aggregator.internal.StreamProcessor;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processor of the table's stream, batch by batch: usage is counted exactly once, hot buckets
 * grow, audit events go to the archive, and invalid records to the dead letters.
 *
 * <p>Batches of one stream shard must come in order, one after the other. A batch may be delivered
 * again, in other parts, to another aggregator, while this one still works on it. Thread-safe.
 */
public final class Aggregator {
  private final StreamProcessor processor;
  private final AggregatorListeners listeners;
  private final LongSupplier clockMs;

  private Aggregator(Builder parts) {
    listeners = new AggregatorListeners(parts.listeners);
    clockMs = parts.clockMs;
    processor =
        new StreamProcessor(
            parts.retention,
            parts.usage,
            parts.executor,
            parts.deadLetters,
            parts.archive,
            parts.buckets == null
                ? null
                : new BucketGrowth(parts.growth, parts.buckets, clockMs, parts.ops, listeners),
            listeners);
  }

  /**
   * An aggregator that writes usage to {@code usage}.
   *
   * @param deadLetters a durable destination of invalid records, so that the stream can go on.
   *     Letters are durable when it returns; when it throws, the batch fails and is delivered
   *     again. It may receive the same letter more than once, as the stream may deliver its record
   *     more than once: a destination that can should keep it once, by its sequence number
   */
  public static Builder builder(UsageStore usage, Consumer<List<DeadLetter>> deadLetters) {
    return new Builder(usage, deadLetters);
  }

  /**
   * Processes a batch, in the order of the stream. Never throws because of its content, nor because
   * a store or a destination is unavailable: the result says from where it must be delivered again.
   */
  public BatchResult process(List<StreamRecord> records) {
    return report(records, processor.process(List.copyOf(records)));
  }

  /**
   * Processes dead letters again, in any order. Their position in the stream has passed, so each is
   * marked separately; one that was replayed before is a duplicate. A letter that is still invalid
   * goes to the dead letters again.
   */
  public BatchResult replay(List<DeadLetter> letters) {
    List<StreamRecord> records = letters.stream().map(DeadLetter::record).toList();
    return report(records, processor.replay(List.copyOf(letters)));
  }

  private BatchResult report(List<StreamRecord> records, BatchResult result) {
    long lagMs =
        records.isEmpty()
            ? 0
            : Math.max(0, clockMs.getAsLong() - records.get(records.size() - 1).createdAtMs());
    listeners.publish(listener -> listener.onBatch(result, lagMs));
    return result;
  }

  /** A builder of aggregators. */
  public static final class Builder {
    /** Most time zones besides UTC: each costs three writes. */
    public static final int MAX_ZONES = 3;

    /**
     * The time for which the usage of each window is kept after its beginning. A stream keeps its
     * records for a day, and usage must exist as long as they can come again.
     */
    private static final Map<Window.Unit, Duration> RETENTION =
        Map.of(
            Window.Unit.HOUR, Duration.ofDays(30),
            Window.Unit.DAY, Duration.ofDays(400),
            Window.Unit.MONTH, Duration.ofDays(3_660));

    private final UsageStore usage;
    private final Consumer<List<DeadLetter>> deadLetters;
    private final Map<Window, Duration> retention = new LinkedHashMap<>();
    private @Nullable Consumer<List<AuditEvent>> archive;
    private @Nullable BlockingStore buckets;
    private GrowthSettings growth = GrowthSettings.DEFAULT;
    private final List<AggregatorListener> listeners = new ArrayList<>();
    private LongSupplier clockMs = System::currentTimeMillis;
    private @Nullable Executor executor;
    private Supplier<String> ops = Builder::randomOp;

    private Builder(UsageStore usage, Consumer<List<DeadLetter>> deadLetters) {
      this.usage = usage;
      this.deadLetters = deadLetters;
      RETENTION.forEach((unit, kept) -> retention.put(new Window(unit, ZoneOffset.UTC), kept));
    }

    /** A short id: it is stored in the bucket. */
    private static String randomOp() {
      long random = UUID.randomUUID().getMostSignificantBits();
      return "agg." + Long.toUnsignedString(random, Character.MAX_RADIX);
    }

    /** Counts hours, days and months of {@code zone} too, besides those of UTC. */
    public Builder zone(ZoneId zone) {
      RETENTION.forEach((unit, kept) -> retention.put(new Window(unit, zone), kept));
      if (retention.size() > (MAX_ZONES + 1) * RETENTION.size()) {
        throw new IllegalArgumentException("more than " + MAX_ZONES + " time zones");
      }
      return this;
    }

    /**
     * Keeps audit events in {@code value}; without one they are ignored. Events are durable when it
     * returns; when it throws, the batch fails and is delivered again. It may receive the same
     * event more than once, from several workers at once, and must keep it once, by its key.
     */
    public Builder archive(Consumer<List<AuditEvent>> value) {
      archive = value;
      return this;
    }

    /** Grows and merges the buckets in {@code store}; without one they are left to the clients. */
    public Builder growth(BlockingStore store) {
      buckets = store;
      return this;
    }

    Builder growth(BlockingStore store, GrowthSettings value) {
      growth = value;
      return growth(store);
    }

    /** Reports events to {@code value}. May be called several times. */
    public Builder listener(AggregatorListener value) {
      listeners.add(value);
      return this;
    }

    /** The clock in epoch milliseconds; the machine's otherwise. */
    public Builder clock(LongSupplier value) {
      clockMs = value;
      return this;
    }

    /**
     * Writes of different usage items are sent at the same time, at most 16: one on the caller's
     * thread, the others on {@code value} as far as it has threads; without one they are sent one
     * after the other.
     */
    public Builder executor(Executor value) {
      executor = value;
      return this;
    }

    /** Ids of the writes that resize buckets, a new one each time; random otherwise. */
    public Builder ops(Supplier<String> value) {
      ops = value;
      return this;
    }

    /** Creates the aggregator. Nothing is sent yet. */
    public Aggregator build() {
      return new Aggregator(this);
    }
  }
}
