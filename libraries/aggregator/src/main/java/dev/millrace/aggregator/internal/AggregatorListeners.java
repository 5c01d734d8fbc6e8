package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.AggregatorListener;
import java.util.List;
import java.util.function.Consumer;

/**
 * The listeners, isolated from the stream: whatever one of them throws, an {@code Error} included,
 * is logged, and the batch goes on.
 */
public final class AggregatorListeners {
  private static final System.Logger LOG = System.getLogger("dev.millrace.aggregator");

  private final List<AggregatorListener> listeners;

  /** Copies the listeners. */
  public AggregatorListeners(List<AggregatorListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Passes an event to each of them. */
  public void publish(Consumer<AggregatorListener> event) {
    for (AggregatorListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable thrown) { // also what Kotlin or Groovy throw unchecked
        log(thrown);
      }
    }
  }

  private static void log(Throwable thrown) {
    try {
      LOG.log(System.Logger.Level.WARNING, "a listener failed", thrown);
    } catch (Throwable unlogged) {
      // Nothing more can be done.
    }
  }
}
