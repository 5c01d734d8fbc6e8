package dev.millrace.spring;

import dev.millrace.LimiterOptions;

/** A bean that sets options of the limiter for which there is no property. */
@FunctionalInterface
public interface LimiterOptionsCustomizer {
  /** Changes {@code options} before the limiter is created. */
  void customize(LimiterOptions.Builder options);
}
