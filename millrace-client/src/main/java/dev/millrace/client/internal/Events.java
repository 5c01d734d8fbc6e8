package dev.millrace.client.internal;

import dev.millrace.client.LimiterListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells the listeners; none of them can break the limiter. */
final class Events {
  private static final System.Logger LOG = System.getLogger("dev.millrace");

  private final List<LimiterListener> listeners;

  Events(List<? extends LimiterListener> listeners) {
    this.listeners = new ArrayList<>(listeners);
  }

  void tell(Consumer<LimiterListener> event) {
    for (int i = 0; i < listeners.size(); i++) {
      try {
        event.accept(listeners.get(i));
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a limiter listener failed", e);
      }
    }
  }
}
