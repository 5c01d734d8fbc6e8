package dev.millrace.server;

import dev.millrace.admin.Admin;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.server.security.Guard;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.InstantSource;

/**
 * The objects that all features share.
 *
 * @param admin the administration of the table; blocking, so never called on an event loop
 * @param telemetry the destination of traces
 */
public record ServerParts(
    Limiters limiters,
    Admin admin,
    UsageStore usage,
    Guard guard,
    MeterRegistry meters,
    OpenTelemetry telemetry,
    InstantSource clock) {}
