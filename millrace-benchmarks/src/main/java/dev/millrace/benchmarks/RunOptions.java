package dev.millrace.benchmarks;

import dev.millrace.benchmarks.backend.BackendKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options of every run. */
final class RunOptions {
  private static final int MAX_SECONDS = 3_600;
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
      defaultValue = "20",
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "5",
      description = "Seconds of load before that (default: ${DEFAULT-VALUE}).")
  private int warmup;

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
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new ParameterException(
          command, "--seconds " + seconds + " must be from 1 to " + MAX_SECONDS);
    }
    if (warmup < 0 || warmup > MAX_SECONDS) {
      throw new ParameterException(
          command, "--warmup " + warmup + " must be from 0 to " + MAX_SECONDS);
    }
    if (!(rtt >= 0 && rtt <= MAX_ROUND_TRIP_MS)) {
      throw new ParameterException(
          command, "--rtt " + rtt + " must be from 0 to " + MAX_ROUND_TRIP_MS);
    }
  }

  BackendKind backendOr(BackendKind fallback) {
    return backend == null ? fallback : backend;
  }

  Duration measured() {
    return Duration.ofSeconds(seconds);
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmup);
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
