package dev.millrace.spring.actuate;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The {@link StoreHealthCheck} as a health indicator of Boot 3. */
public final class ActuatorHealth implements HealthIndicator {
  private final StoreHealthCheck store;

  /** Reports the state of {@code store}. */
  public ActuatorHealth(StoreHealthCheck store) {
    this.store = store;
  }

  @Override
  public Health health() {
    StoreHealthCheck.Result look = store.look();
    return (look.up() ? Health.up() : Health.down()).withDetails(look.details()).build();
  }
}
