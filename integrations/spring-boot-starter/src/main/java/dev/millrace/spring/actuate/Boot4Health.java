package dev.millrace.spring.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The {@link StoreHealthCheck} as a health indicator of Boot 4. */
public final class Boot4Health implements HealthIndicator {
  private final StoreHealthCheck store;

  /** Reports the state of {@code store}. */
  public Boot4Health(StoreHealthCheck store) {
    this.store = store;
  }

  @Override
  public Health health() {
    StoreHealthCheck.Result look = store.look();
    return (look.up() ? Health.up() : Health.down()).withDetails(look.details()).build();
  }
}
