package dev.millrace.spring.internal;

import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A check of the store: one small read that changes nothing. */
final class StoreProbe {
  private static final StoreCall SMALL_READ =
      new StoreCall.Lookup(
          List.of(RecordKey.Config.ofSystem(LimiterOptions.DEFAULT_NAMESPACE)),
          /* consistent= */ false);

  private final BlockingStore store;
  private final Duration timeout;

  /** Waits for at most {@code timeout}. */
  StoreProbe(BlockingStore store, Duration timeout) {
    this.store = store;
    this.timeout = timeout;
  }

  /**
   * The details of a health report: the reason why the {@code store} cannot be used now, without
   * one when it can, and the requests that failed or were admitted uncharged without it.
   */
  Map<String, Object> health(LimiterMetrics counts) {
    Map<String, Object> details = new LinkedHashMap<>();
    try {
      require();
    } catch (MillraceException e) {
      details.put("store", String.valueOf(e.getMessage()));
    }
    details.put("blocked", counts.blocked());
    details.put("degraded", counts.degraded());
    return details;
  }

  /** Throws when the store cannot be used now. */
  void require() {
    StoreReply reply = store.execute(SMALL_READ, timeout.toMillis());
    if (reply instanceof StoreReply.NotApplied failed) {
      throw unavailable(failed.failure());
    }
    if (reply instanceof StoreReply.Unknown lost) {
      throw unavailable(lost.failure());
    }
  }

  private static MillraceException unavailable(StoreFailure failure) {
    return new LimiterUnavailableException(
        "the store does not answer", Map.of("why", failure.kind()), failure.cause());
  }
}
