package dev.millrace.cli.table;

import dev.millrace.cli.Millrace;
import dev.millrace.cli.Surroundings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that say which table. Every command takes them, and finds what they leave out in the
 * same places.
 */
public class TablePlace {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Option(
      names = {"-t", "--table"},
      paramLabel = "NAME",
      description = "The table (MILLRACE_TABLE; default: limits).")
  private @Nullable String table;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "DynamoDB, with any credentials (MILLRACE_ENDPOINT; default: AWS).")
  private @Nullable String endpoint;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "The region (MILLRACE_REGION; default: what the AWS SDK finds).")
  private @Nullable String region;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "What else these are, from ~/.config/millrace/profiles (MILLRACE_PROFILE).")
  private @Nullable String profile;

  /** Which table, and what else was said. */
  public Settings settings() {
    return Settings.resolve(given(), surroundings());
  }

  /** What the options say; those who have more of them add theirs. */
  Settings.Given given() {
    return new Settings.Given(table, endpoint, region, null, null, null, profile);
  }

  /** The command that has these options. */
  final CommandSpec spec() {
    return spec;
  }

  final Surroundings surroundings() {
    return Millrace.surroundings(spec);
  }
}
