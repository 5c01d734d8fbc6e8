package dev.millrace.cli.services.regions;

import dev.millrace.s3.ExchangeBucket;
import dev.millrace.s3.ExchangePolicy;
import dev.millrace.s3.S3Location;
import dev.millrace.worker.Endpoints;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;

/** Sets up the bucket in which snapshots are exchanged. */
@Command(
    name = "bucket",
    mixinStandardHelpOptions = true,
    description = {
      "Makes the bucket in which snapshots are exchanged, if it is not there: encrypted, closed to",
      "the public, and cleared of remains. May be repeated. With --policy it only prints."
    })
final class BucketCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin private RegionsOptions options = new RegionsOptions();

  @Mixin private PlaceOption place = new PlaceOption();

  @Option(
      names = "--policy",
      paramLabel = "REGION",
      description = "Print the least that a region must be allowed there, and do nothing.")
  private @Nullable String policyOf;

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    S3Location location = place.location(command);
    String policy;
    try {
      policy = policyOf == null ? null : ExchangePolicy.of(location, policyOf);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
    if (policy != null) {
      command.getOut().println(policy);
      command.getOut().flush();
      return RegionsCommand.EXIT_DONE;
    }
    try (Endpoints endpoints = options.endpoints()) {
      ExchangeBucket.setUp(endpoints.s3Client(), location).forEach(this::print);
      return RegionsCommand.EXIT_DONE;
    } catch (SdkException e) {
      command.getErr().println(command.getColorScheme().errorText("regions: " + e.getMessage()));
      return RegionsCommand.EXIT_UNREACHABLE;
    }
  }

  private void print(ExchangeBucket.Part part) {
    String told = part.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    spec.commandLine().getOut().println("%-22s %s".formatted(part.name(), told));
    spec.commandLine().getOut().flush();
  }
}
