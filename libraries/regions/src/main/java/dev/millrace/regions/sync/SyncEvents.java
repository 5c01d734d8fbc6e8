package dev.millrace.regions.sync;

import java.util.function.Consumer;

/**
 * The listener of an exchange. Whatever it throws, an {@code Error} included, is logged and goes no
 * further: a region that is told of its eviction must withdraw, whoever fails to hear of it.
 */
final class SyncEvents {
  private static final System.Logger LOG = System.getLogger("dev.millrace.regions");

  private final SyncListener listener;

  SyncEvents(SyncListener listener) {
    this.listener = listener;
  }

  void tell(Consumer<SyncListener> event) {
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
      // There is nobody left to tell.
    }
  }
}
