package dev.millrace.client.internal.store;

import dev.millrace.LimiterListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The listeners of one limiter. Whatever one of them throws, an {@code Error} included, is counted
 * and goes no further: a write whose answer is being told must reach those that wait for it.
 */
public final class ListenerList {
  private static final System.Logger LOG = System.getLogger("dev.millrace");

  private final List<LimiterListener> listeners = new ArrayList<>();
  private final AtomicBoolean logged = new AtomicBoolean();

  /** Adds a listener, before the first event. */
  public void add(LimiterListener listener) {
    listeners.add(listener);
  }

  public void tell(Consumer<LimiterListener> event) {
    for (int i = 0; i < listeners.size(); i++) {
      try {
        event.accept(listeners.get(i));
      } catch (Throwable thrown) { // also what Kotlin or Groovy throw unchecked
        failed(thrown);
      }
    }
  }

  /** Counts a failure, and logs the first one: a broken listener fails with every request. */
  private void failed(Throwable thrown) {
    for (int i = 0; i < listeners.size(); i++) { // the one that counts comes first
      try {
        listeners.get(i).onListenerFailed(thrown);
      } catch (Throwable again) {
        // It fails to hear of failures too. It may even be the same throwable once more, so it is
        // not noted in that one.
      }
    }
    if (logged.compareAndSet(false, true)) {
      try {
        LOG.log(
            System.Logger.Level.WARNING,
            "a limiter listener failed; further failures are only counted (listenerFailures)",
            thrown);
      } catch (Throwable unlogged) {
        // It has been counted.
      }
    }
  }
}
