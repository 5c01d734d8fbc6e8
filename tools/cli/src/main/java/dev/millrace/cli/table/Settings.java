package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.Surroundings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which table, and who works on it. Each setting is the first that is found: the option of the
 * command, the environment variable {@code MILLRACE_…}, the profile, the default.
 *
 * @param endpoint null for AWS
 * @param region null for what the SDK finds
 * @param embedded where DynamoDB Local keeps its state, null when it is not wanted
 * @param actor who makes the changes
 */
public record Settings(
    String table,
    @Nullable URI endpoint,
    @Nullable String region,
    String namespace,
    @Nullable Path embedded,
    String actor) {
  /** The table when nobody names one. */
  public static final String DEFAULT_TABLE = "limits";

  /** The namespace when nobody names one. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** What the options say, null where they say nothing. */
  record Given(
      @Nullable String table,
      @Nullable String endpoint,
      @Nullable String region,
      @Nullable String namespace,
      @Nullable String embedded,
      @Nullable String actor,
      @Nullable String profile) {}

  static Settings resolve(Given given, Surroundings surroundings) {
    String profileName =
        given.profile() == null ? surroundings.variable("MILLRACE_PROFILE") : given.profile();
    Map<String, String> profile = Profiles.find(surroundings, profileName);
    String endpoint = first("endpoint", given.endpoint(), surroundings, profile);
    String embedded = first("embedded", given.embedded(), surroundings, profile);
    if (endpoint != null && embedded != null) {
      // The stronger of the two holds: an option beats what a profile or the environment says.
      boolean optionsAgree = (given.endpoint() == null) == (given.embedded() == null);
      if (optionsAgree) {
        throw new CommandFailure(
            ExitCodes.USAGE, "either --embedded or --endpoint, not both: leave one of them out");
      }
      endpoint = given.endpoint();
      embedded = given.embedded();
    }
    String actor = first("actor", given.actor(), surroundings, profile);
    return new Settings(
        orElse(first("table", given.table(), surroundings, profile), DEFAULT_TABLE),
        endpoint == null ? null : uri(endpoint),
        first("region", given.region(), surroundings, profile),
        orElse(first("namespace", given.namespace(), surroundings, profile), DEFAULT_NAMESPACE),
        embedded == null ? null : Path.of(embedded),
        orElse(actor, System.getProperty("user.name", "unknown")));
  }

  /** The same, for a command that cannot start an engine by itself. */
  public Settings withoutEngine() {
    if (embedded != null) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "MILLRACE_EMBEDDED or the profile says '%s', and this command starts no engine: name the --endpoint of one that runs"
              .formatted(embedded));
    }
    return this;
  }

  private static @Nullable String first(
      String key, @Nullable String option, Surroundings surroundings, Map<String, String> profile) {
    if (option != null) {
      return option;
    }
    String variable = surroundings.variable("MILLRACE_" + key.toUpperCase(Locale.ROOT));
    return variable == null ? profile.get(key) : variable;
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value == null ? otherwise : value;
  }

  private static URI uri(String text) {
    try {
      URI uri = new URI(text);
      if (uri.getScheme() != null && uri.getHost() != null) {
        return uri;
      }
    } catch (java.net.URISyntaxException e) {
      // said below
    }
    throw new CommandFailure(
        ExitCodes.USAGE,
        "endpoint '%s' is not an address such as http://127.0.0.1:8000".formatted(text));
  }
}
