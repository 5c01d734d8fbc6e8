package dev.millrace;

/**
 * Receives what a limiter does, for metrics, logs and tests. Called on the thread of the caller or
 * of the store: be quick, and do not block. What a listener throws, an {@code Error} included, is
 * counted, logged once and goes no further.
 */
@FunctionalInterface
public interface LimiterListener {
  /** Receives one event. There will be further kinds: ignore those that you do not know. */
  void onEvent(LimiterEvent event);
}
