package dev.millrace.server;

import dev.millrace.admin.Admin;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.server.security.Guard;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.InstantSource;

/**
 * What all features work with.
 *
 * @param limiters the limiters, one for each namespace that is asked for
 * @param admin the administration of the table; blocking, so never called on an event loop
 * @param usage where usage is kept
 * @param guard who may call what
 * @param meters where everything is counted
 * @param telemetry where traces go
 * @param clock the time
 */
public record ServerParts(
    Limiters limiters,
    Admin admin,
    UsageStore usage,
    Guard guard,
    MeterRegistry meters,
    OpenTelemetry telemetry,
    InstantSource clock) {}
