package dev.millrace.server.observability;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The destination of traces, as OpenTelemetry's environment variables define it. Without any of
 * them nothing is exported, and a span costs almost nothing.
 */
public final class Telemetry {
  /** The instrumentation scope of all spans. */
  static final String SCOPE = "dev.millrace";

  private Telemetry() {}

  /** The destination in {@code environment}; only traces are exported, metrics are scraped. */
  public static OpenTelemetry of(Map<String, String> environment) {
    boolean configured =
        environment.containsKey("OTEL_TRACES_EXPORTER")
            || environment.keySet().stream()
                .anyMatch(
                    name -> name.startsWith("OTEL_EXPORTER_OTLP_") && name.endsWith("ENDPOINT"));
    if (!configured || "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))) {
      return OpenTelemetry.noop();
    }
    Map<String, String> properties = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith("OTEL_")) {
            properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
          }
        });
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(
            () ->
                Map.of(
                    "otel.metrics.exporter", "none",
                    "otel.logs.exporter", "none",
                    "otel.service.name", "millrace"))
        .addPropertiesCustomizer(config -> properties)
        .build()
        .getOpenTelemetrySdk();
  }
}
