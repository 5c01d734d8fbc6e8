package dev.millrace.aggregator;

import dev.millrace.aggregator.internal.AggregatorListeners;
import dev.millrace.aggregator.internal.BucketGrowth;
import dev.millrace.aggregator.internal.StreamProcessor;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.usage.UsageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
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
            parts.settings,
            parts.usage,
            parts.executor,
            parts.deadLetters,
            parts.archive,
            parts.buckets == null
                ? null
                : new BucketGrowth(parts.growth, parts.buckets, clockMs, parts.ops, listeners),
            listeners);
  }

  /** An aggregator that writes usage to {@code usage}. */
  public static Builder builder(UsageStore usage, DeadLetters deadLetters) {
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
    private final UsageStore usage;
    private final DeadLetters deadLetters;
    private AggregatorSettings settings = AggregatorSettings.defaults();
    private @Nullable AuditArchive archive;
    private @Nullable BlockingStore buckets;
    private GrowthSettings growth = GrowthSettings.defaults();
    private final List<AggregatorListener> listeners = new ArrayList<>();
    private LongSupplier clockMs = System::currentTimeMillis;
    private @Nullable Executor executor;
    private Supplier<String> ops = Builder::randomOp;

    private Builder(UsageStore usage, DeadLetters deadLetters) {
      this.usage = usage;
      this.deadLetters = deadLetters;
    }

    /** A short id: it is stored in the bucket. */
    private static String randomOp() {
      long random = UUID.randomUUID().getMostSignificantBits();
      return "agg." + Long.toUnsignedString(random, Character.MAX_RADIX);
    }

    /** The settings of the count of usage; {@link AggregatorSettings#defaults} otherwise. */
    public Builder settings(AggregatorSettings value) {
      settings = value;
      return this;
    }

    /** Keeps audit events in {@code value}; without one they are ignored. */
    public Builder archive(AuditArchive value) {
      archive = value;
      return this;
    }

    /** Grows and merges the buckets in {@code store}; without one they are left to the clients. */
    public Builder growth(BlockingStore store, GrowthSettings value) {
      buckets = store;
      growth = value;
      return this;
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
