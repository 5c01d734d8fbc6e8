package dev.millrace.server;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.server.security.Guard;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.InMemoryUsageStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.InstantSource;

/** Parts on a store in memory. */
public final class TestParts {
  private TestParts() {}

  /** Parts whose callers are all on this machine. */
  public static ServerParts on(InMemoryStore store) {
    return on(store, new LocalGuard());
  }

  /** Parts behind {@code guard}. */
  public static ServerParts on(InMemoryStore store, Guard guard) {
    return on(store, store, guard);
  }

  /** Parts whose limiters use {@code limits} instead, to which faults may happen. */
  public static ServerParts on(InMemoryStore store, BlockingStore limits, Guard guard) {
    return new ServerParts(
        new Limiters(
            namespace ->
                RateLimiter.create(limits, LimiterOptions.builder().namespace(namespace).build())),
        Admin.of(store, AdminOptions.of("test")),
        new InMemoryUsageStore(),
        guard,
        new SimpleMeterRegistry(),
        OpenTelemetry.noop(),
        InstantSource.system());
  }
}
