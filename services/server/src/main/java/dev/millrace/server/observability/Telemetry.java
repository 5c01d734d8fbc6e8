package dev.millrace.server.observability;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;

/**
 * Where traces go, by the variables that OpenTelemetry has for that. Without any of them nothing is
 * exported, and making a span costs next to nothing.
 */
public final class Telemetry {
  private static final String PREFIX = "OTEL_";

  private Telemetry() {}

  /** By {@code environment}; only traces are exported, metrics are at {@code /metrics}. */
  public static OpenTelemetry of(Map<String, String> environment) {
    boolean wanted =
        environment.containsKey("OTEL_TRACES_EXPORTER")
            || environment.keySet().stream()
                .anyMatch(
                    name -> name.startsWith("OTEL_EXPORTER_OTLP_") && name.endsWith("ENDPOINT"));
    if (!wanted || "true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))) {
      return OpenTelemetry.noop();
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(
            () ->
                Map.of(
                    "otel.metrics.exporter", "none",
                    "otel.logs.exporter", "none",
                    "otel.service.name", "millrace"))
        .addPropertiesCustomizer(config -> properties(environment))
        .build()
        .getOpenTelemetrySdk();
  }

  /** The variables as the properties that they stand for. */
  private static Map<String, String> properties(Map<String, String> environment) {
    Map<String, String> properties = new java.util.HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            properties.put(name.toLowerCase(java.util.Locale.ROOT).replace('_', '.'), value);
          }
        });
    return properties;
  }
}
