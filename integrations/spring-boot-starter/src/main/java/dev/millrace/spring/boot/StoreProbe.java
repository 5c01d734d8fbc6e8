package dev.millrace.spring.boot;

import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A check of the store: one small read that changes nothing. */
public final class StoreProbe {
  private static final StoreCall ASKED =
      new StoreCall.Lookup(
          List.of(RecordKey.Config.ofSystem(LimiterOptions.DEFAULT_NAMESPACE)),
          /* consistent= */ false);

  private final BlockingStore store;
  private final Duration timeout;

  /** Checks {@code store}, for at most {@code timeout}. */
  public StoreProbe(BlockingStore store, Duration timeout) {
    this.store = store;
    this.timeout = timeout;
  }

  /** The reason why the store cannot be used now; empty when it can. */
  public Optional<String> trouble() {
    try {
      require();
      return Optional.empty();
    } catch (MillraceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Throws when the store cannot be used now. */
  public void require() {
    StoreReply reply = store.execute(ASKED, timeout.toMillis());
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
