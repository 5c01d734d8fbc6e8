package dev.millrace.cli.services.regions;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.services.S3LocationConverter;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.internal.ExchangeBucket;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Sets up the bucket in which snapshots are exchanged. */
@Command(
    name = "bucket",
    description = {
      "Makes the bucket in which snapshots are exchanged, if it is not there: encrypted, closed to",
      "the public, and cleared of remains. May be repeated. With --policy it only prints."
    })
final class ExchangeBucketCommand extends CliCommand implements Callable<Integer> {
  @Mixin private final RegionsOptions options = new RegionsOptions();

  @Option(
      names = "--exchange",
      paramLabel = "s3://BUCKET/PREFIX",
      required = true,
      converter = S3LocationConverter.class,
      description = "Where snapshots are exchanged; the same for all regions.")
  private S3Location location;

  @Option(
      names = "--policy",
      paramLabel = "REGION",
      description = "Print the least that a region must be allowed there, and do nothing.")
  private @Nullable String policyRegion;

  @Override
  public Integer call() {
    if (policyRegion != null) {
      try {
        print(ExchangeBucket.policy(location, policyRegion));
        return ExitCodes.DONE;
      } catch (IllegalArgumentException e) {
        throw wrongUsage(e.getMessage());
      }
    }
    try (ServiceClients clients = options.clients()) {
      for (ExchangeBucket.Part part : ExchangeBucket.setUp(clients.s3Client(), location)) {
        String outcome = part.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        print("%-22s %s".formatted(part.name(), outcome));
      }
      return ExitCodes.DONE;
    } catch (SdkException e) {
      printError("regions", e.getMessage());
      return ExitCodes.UNREACHABLE;
    }
  }
}
