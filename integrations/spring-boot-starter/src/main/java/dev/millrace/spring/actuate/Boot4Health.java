package dev.millrace.spring.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** {@link StoreHealth} where Boot 4 looks for it. */
public final class Boot4Health implements HealthIndicator {
  private final StoreHealth store;

  /** Tells what {@code store} sees. */
  public Boot4Health(StoreHealth store) {
    this.store = store;
  }

  @Override
  public Health health() {
    StoreHealth.Look look = store.look();
    return (look.up() ? Health.up() : Health.down()).withDetails(look.details()).build();
  }
}
