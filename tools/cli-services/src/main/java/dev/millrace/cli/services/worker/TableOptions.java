package dev.millrace.cli.services.worker;

import dev.millrace.aggregator.AggregatorSettings;
import dev.millrace.cli.table.TablePlace;
import dev.millrace.s3.S3Location;
import dev.millrace.worker.Endpoints;
import java.net.URI;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which table, where everything is, and which windows usage is counted in. */
final class TableOptions extends TablePlace {
  @Option(names = "--s3-endpoint", paramLabel = "URL", description = "S3 (default: AWS).")
  private @Nullable URI s3Endpoint;

  @Option(names = "--sqs-endpoint", paramLabel = "URL", description = "SQS (default: AWS).")
  private @Nullable URI sqsEndpoint;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = {
        "Also count hours, days and months of a time zone such as Europe/Berlin.",
        "May be given up to three times, the same for all workers and for replays."
      })
  private List<String> zones = new ArrayList<>();

  String table() {
    return settings().table();
  }

  /** The address of a DynamoDB that runs already, null for AWS. */
  @Nullable URI endpoint() {
    return settings().withoutEngine().endpoint();
  }

  Endpoints endpoints(@Nullable URI dynamo) {
    return Endpoints.of(dynamo, s3Endpoint, sqsEndpoint, settings().region());
  }

  /** The place in S3 that {@code text} names. */
  static S3Location location(CommandLine command, String text) {
    try {
      return S3Location.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  AggregatorSettings usage(CommandLine command) {
    AggregatorSettings settings = AggregatorSettings.defaults();
    for (String zone : zones) {
      try {
        settings = settings.withZone(ZoneId.of(zone));
      } catch (DateTimeException e) {
        throw new ParameterException(command, "--zone " + zone + " is no time zone", e);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command, "--zone: " + e.getMessage(), e);
      }
    }
    return settings;
  }
}
