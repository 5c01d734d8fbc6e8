package dev.millrace.spring.boot;

import dev.millrace.client.LimiterOptions;

/** A bean of this type sets options of the limiter for which there is no property. */
@FunctionalInterface
public interface LimiterOptionsCustomizer {
  /** Changes {@code options} before the limiter is made. */
  void customize(LimiterOptions.Builder options);
}
