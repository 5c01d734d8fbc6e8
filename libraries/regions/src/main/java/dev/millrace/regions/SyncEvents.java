package dev.millrace.regions;

import java.util.function.Consumer;

/**
 * The listener of an exchange. Whatever it throws, an {@code Error} included, is logged and goes no
 * further: a region that is evicted must withdraw, also when its listener fails.
 */
final class SyncEvents {
  private static final System.Logger LOG = System.getLogger("dev.millrace.regions");

  private final SyncListener listener;

  SyncEvents(SyncListener listener) {
    this.listener = listener;
  }

  void report(Consumer<SyncListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable thrown) { // also what Kotlin or Groovy throw unchecked
      log(thrown);
    }
  }

  private static void log(Throwable thrown) {
    try {
      LOG.log(System.Logger.Level.WARNING, "a listener of the exchange failed", thrown);
    } catch (Throwable unlogged) {
      // Nothing else receives it.
    }
  }
}
