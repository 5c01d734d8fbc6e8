package dev.millrace.benchmarks;

import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.scenario.Length;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of every run. */
final class RunOptions {
  private static final double MIN_SECONDS = 0.1;
  private static final double MAX_SECONDS = 3_600;
  private static final double MAX_ROUND_TRIP_MS = 1_000;

  @Option(
      names = "--backend",
      paramLabel = "embedded|model",
      converter = BackendConverter.class,
      description = {
        "Where the buckets are: DynamoDB Local, or a model of DynamoDB.",
        "By default what suits the scenario."
      })
  private @Nullable BackendKind backend;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long to measure (default: 20, shards: 40).")
  private @Nullable Double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description = "Seconds of load before that (default: 15, shards: 10).")
  private @Nullable Double warmup;

  @Option(
      names = "--rtt",
      paramLabel = "MS",
      defaultValue = "4",
      description = "Round trip of the model in milliseconds (default: ${DEFAULT-VALUE}).")
  private double rtt;

  @Option(
      names = "--json",
      description = "Print the figures as one JSON object, the last line of the output.")
  private boolean json;

  /** Refuses what makes no sense. */
  void check(CommandLine command) {
    requireBetween(command, "--seconds", seconds, MIN_SECONDS, MAX_SECONDS);
    requireBetween(command, "--warmup", warmup, 0, MAX_SECONDS);
    requireBetween(command, "--rtt", rtt, 0, MAX_ROUND_TRIP_MS);
  }

  private static void requireBetween(
      CommandLine command, String option, @Nullable Double value, double min, double max) {
    if (value != null && !(value >= min && value <= max)) {
      throw new ParameterException(
          command, "%s %s must be from %s to %s".formatted(option, value, min, max));
    }
  }

  BackendKind backendOr(BackendKind fallback) {
    return backend == null ? fallback : backend;
  }

  Length lengthOr(Length fallback) {
    return new Length(
        warmup == null ? fallback.warmUp() : seconds(warmup),
        seconds == null ? fallback.measured() : seconds(seconds));
  }

  private static Duration seconds(double value) {
    return Duration.ofMillis(Math.round(value * 1e3));
  }

  Duration roundTrip() {
    return Duration.ofNanos(Math.round(rtt * 1e6));
  }

  boolean isJson() {
    return json;
  }

  /** Backends by the name that users know. */
  static final class BackendConverter implements ITypeConverter<BackendKind> {
    @Override
    public BackendKind convert(String value) {
      for (BackendKind kind : BackendKind.values()) {
        if (kind.toString().equals(value)) {
          return kind;
        }
      }
      throw new TypeConversionException("'" + value + "' is neither embedded nor model");
    }
  }
}
