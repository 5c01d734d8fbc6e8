package dev.millrace.benchmarks.backend;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** The stores that scenarios can run on. */
public enum BackendKind {
  /** DynamoDB Local in a process of its own. */
  EMBEDDED,
  /** A store in memory behind a round trip, with DynamoDB's limits for each partition. */
  MODEL;

  /**
   * Starts one.
   *
   * @param roundTrip of the model
   * @param traits of the model
   * @param progress hears of what takes long
   */
  public Backend open(Duration roundTrip, ModelTraits traits, Consumer<String> progress) {
    return switch (this) {
      case EMBEDDED -> EmbeddedBackend.start(progress);
      case MODEL -> new ModelBackend(roundTrip, traits);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
