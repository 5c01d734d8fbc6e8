package dev.millrace.spring.internal;

import dev.millrace.adapters.micrometer.LimiterMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

/**
 * The meters of the limiter, in every registry that they are bound to. A limiter is created with
 * its listeners, and registries come later.
 */
final class MillraceMeters implements MeterBinder {
  private final CompositeMeterRegistry registries = new CompositeMeterRegistry();
  private final LimiterMeters listener = new LimiterMeters(registries);

  /** The listener that counts. */
  LimiterMeters listener() {
    return listener;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    registries.add(registry);
  }
}
