package dev.millrace.cli.command;

import dev.millrace.core.spi.usage.Window;
import java.time.Instant;
import picocli.CommandLine.Option;

/** Which usage; a mixin. */
final class UsageRange {
  @Option(
      names = {"-r", "--resource"},
      paramLabel = "NAME",
      required = true,
      description = "Of what.")
  @SuppressWarnings("NullAway.Init") // must be given
  private String resource;

  @Option(
      names = {"-w", "--window"},
      paramLabel = "WINDOW",
      defaultValue = "hour",
      description = "hour, day or month, or as day@Europe/Berlin (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String window;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      defaultValue = "24h",
      description = "Pieces that begin then or later (default: ${DEFAULT-VALUE} ago).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      defaultValue = "now",
      description = "And before then (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String to;

  String resource() {
    return resource;
  }

  Window window() {
    return Window.parse(window);
  }

  /** The piece that the earliest time is in counts as a whole. */
  Instant from(Instant now) {
    long fromMs = Times.parse(from, now).toEpochMilli();
    return Instant.ofEpochMilli(window().startOf(fromMs));
  }

  Instant to(Instant now) {
    return Times.parse(to, now);
  }
}
