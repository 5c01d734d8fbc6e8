package dev.millrace.aggregator;

import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.usage.UsageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes the table's stream, batch by batch: usage is counted exactly once, hot buckets grow,
 * audit events go to the archive, and what cannot be understood to the dead letters.
 *
 * <p>Batches of one stream shard must come in order, one after the other. A batch may come again,
 * in other pieces, to another aggregator, while this one still works on it. Safe for use by many
 * threads.
 */
public final class Aggregator {
  private final Builder parts;

  private Aggregator(Builder parts) {
    this.parts = parts;
  }

  /** One that writes usage to {@code usage}. */
  public static Builder builder(UsageStore usage, DeadLetters deadLetters) {
    return new Builder(usage, deadLetters);
  }

  /** Processes a batch, in the order of the stream. Never throws because of what is in it. */
  public BatchResult process(List<StreamRecord> records) {
    if (records.isEmpty()) {
      return new BatchResult(0, 0, 0, 0, 0, 0, null, null);
    }
    throw new UnsupportedOperationException(parts + " " + records);
  }

  /**
   * Processes dead letters once more, in any order. Their turn in the stream has passed, so each is
   * marked by itself; one that was replayed before is a duplicate. What is still not understood
   * goes to the dead letters again.
   */
  public BatchResult replay(List<StreamRecord> records) {
    if (records.isEmpty()) {
      return new BatchResult(0, 0, 0, 0, 0, 0, null, null);
    }
    throw new UnsupportedOperationException(parts + " " + records);
  }

  /** What an aggregator is made of. */
  public static final class Builder {
    private final UsageStore usage;
    private final DeadLetters deadLetters;
    private AggregatorSettings settings = AggregatorSettings.defaults();
    private @Nullable AuditArchive archive;
    private @Nullable BlockingStore buckets;
    private GrowthSettings growth = GrowthSettings.defaults();
    private final List<AggregatorListener> listeners = new ArrayList<>();
    private LongSupplier clockMs = System::currentTimeMillis;

    private Builder(UsageStore usage, DeadLetters deadLetters) {
      this.usage = usage;
      this.deadLetters = deadLetters;
    }

    /** How usage is counted; {@link AggregatorSettings#defaults} otherwise. */
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

    /** Tells {@code value} what happens. May be called several times. */
    public Builder listener(AggregatorListener value) {
      listeners.add(value);
      return this;
    }

    /** The clock in epoch milliseconds that lag is told by; the machine's otherwise. */
    public Builder clock(LongSupplier value) {
      clockMs = value;
      return this;
    }

    /** Makes it. Nothing is sent yet. */
    public Aggregator build() {
      return new Aggregator(this);
    }

    @Override
    public String toString() {
      return "aggregator "
          + usage
          + deadLetters
          + settings
          + archive
          + buckets
          + growth
          + listeners
          + clockMs;
    }
  }
}
