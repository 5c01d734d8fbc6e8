package dev.millrace.spring.actuate;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** {@link StoreHealth} where Boot 3 looks for it. */
public final class ActuatorHealth implements HealthIndicator {
  private final StoreHealth store;

  /** Tells what {@code store} sees. */
  public ActuatorHealth(StoreHealth store) {
    this.store = store;
  }

  @Override
  public Health health() {
    StoreHealth.Look look = store.look();
    return (look.up() ? Health.up() : Health.down()).withDetails(look.details()).build();
  }
}
