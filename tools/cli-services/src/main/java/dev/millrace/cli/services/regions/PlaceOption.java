package dev.millrace.cli.services.regions;

import dev.millrace.s3.S3Location;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where snapshots are exchanged. */
final class PlaceOption {
  @Option(
      names = "--exchange",
      paramLabel = "s3://BUCKET/PREFIX",
      required = true,
      description = "Where snapshots are exchanged; the same for all regions.")
  @SuppressWarnings("NullAway.Init") // required
  private String place;

  S3Location location(CommandLine command) {
    return parse(command, place);
  }

  /** The place that {@code text} names. */
  static S3Location parse(CommandLine command, String text) {
    try {
      return S3Location.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }
}
