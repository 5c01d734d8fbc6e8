package dev.millrace.cli.services.worker;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.table.TablePlace;
import java.net.URI;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name a table, the services around it, and the windows of usage; a mixin. */
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

  ServiceClients clients(@Nullable URI dynamo) {
    return ServiceClients.of(dynamo, s3Endpoint, sqsEndpoint, settings().region());
  }

  /** The time zones whose usage is counted besides that of UTC. */
  Set<ZoneId> zones(CommandLine command) {
    Set<ZoneId> parsed = new LinkedHashSet<>();
    for (String zone : zones) {
      try {
        parsed.add(ZoneId.of(zone));
      } catch (DateTimeException e) {
        throw new ParameterException(command, "--zone " + zone + " is no time zone", e);
      }
    }
    if (parsed.size() > Aggregator.Builder.MAX_ZONES) {
      throw new ParameterException(
          command, "--zone: at most " + Aggregator.Builder.MAX_ZONES + " time zones");
    }
    return parsed;
  }
}
