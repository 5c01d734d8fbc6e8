package dev.millrace.cli.table;

import dev.millrace.cli.Millrace;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that name a table; a mixin. */
public class TablePlace {
  @Spec(Spec.Target.MIXEE)
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

  /** The settings that these options, the environment and the profile result in. */
  public final Settings settings() {
    return Settings.resolve(options(), Millrace.surroundings(spec));
  }

  /** The values of the options by their keys in a profile, null for those that were not given. */
  Map<String, @Nullable String> options() {
    Map<String, @Nullable String> options = new HashMap<>();
    options.put("table", table);
    options.put("endpoint", endpoint);
    options.put("region", region);
    options.put("profile", profile);
    return options;
  }

  /** The command that has these options. */
  final CommandSpec spec() {
    return spec;
  }
}
