package dev.millrace.proving.soak.worker;

import dev.millrace.Consistency;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.proving.soak.journal.JournalHeader;
import java.time.Duration;

/** The settings of a worker's limiter. Workers take turns, so that all are there from four on. */
enum Profile {
  /** Settles at once, and admits nobody without the store. */
  PLAIN {
    @Override
    LimiterOptions.Builder options() {
      return LimiterOptions.builder().onUnavailable(OnUnavailable.BLOCK);
    }
  },
  /** Settles later, and admits without the store. */
  DEFERRING {
    @Override
    LimiterOptions.Builder options() {
      return LimiterOptions.builder()
          .onUnavailable(OnUnavailable.ALLOW)
          .settlement(Settlement.DEFERRED);
    }
  },
  /** Charges its buckets in one transaction, and admits without the store. */
  TRANSACTIONAL {
    @Override
    LimiterOptions.Builder options() {
      return LimiterOptions.builder()
          .onUnavailable(OnUnavailable.ALLOW)
          .consistency(Consistency.TRANSACTIONAL);
    }
  },
  /**
   * Serves callers from tokens taken ahead, and settles later. The horizon is longer than the
   * default, because a write that reaches the disk takes longer than that.
   */
  PREFETCHING {
    @Override
    LimiterOptions.Builder options() {
      return LimiterOptions.builder()
          .onUnavailable(OnUnavailable.BLOCK)
          .settlement(Settlement.DEFERRED)
          .prefetch(Duration.ofMillis(HORIZON_MS));
    }

    @Override
    long aheadMs() {
      return HORIZON_MS;
    }
  };

  /** Callers of each worker. */
  static final int THREADS = 3;

  private static final int HORIZON_MS = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration MAX_DEFER = Duration.ofMillis(500);

  abstract LimiterOptions.Builder options();

  /** How long ahead of their use tokens are charged. */
  long aheadMs() {
    return 0;
  }

  static Profile of(int worker) {
    return values()[worker % values().length];
  }

  LimiterOptions.Builder limiter() {
    return options().timeout(TIMEOUT).maxDefer(MAX_DEFER);
  }

  /**
   * What its death may cost. A deferred settlement waits for a write and is then written within the
   * time limit; what surely was not written is deferred once more.
   */
  JournalHeader header(String name) {
    LimiterOptions options = limiter().build();
    return new JournalHeader(
        name,
        options.settlement() == Settlement.DEFERRED,
        MAX_DEFER.plus(TIMEOUT.multipliedBy(2)).toMillis(),
        options.refillGrain().toMillis(),
        options.consistency() == Consistency.TRANSACTIONAL,
        aheadMs());
  }
}
