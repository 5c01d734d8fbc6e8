package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.Surroundings;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table of a command, and the actor of its changes. Each setting is the first that is found:
 * the option of the command, the environment variable {@code MILLRACE_…}, the profile, the default.
 *
 * @param endpoint null for AWS
 * @param region null for the one that the SDK finds
 * @param embedded the directory with the state of DynamoDB Local, null when it is not used
 * @param actor recorded in the audit
 */
public record Settings(
    String table,
    @Nullable URI endpoint,
    @Nullable String region,
    String namespace,
    @Nullable Path embedded,
    String actor) {

  static Settings resolve(Map<String, @Nullable String> options, Surroundings surroundings) {
    String profileName = options.get("profile");
    Map<String, String> profile =
        Profiles.find(
            surroundings,
            profileName == null ? surroundings.variable("MILLRACE_PROFILE") : profileName);
    Map<String, @Nullable String> found = new HashMap<>();
    for (String key : Profiles.KEYS) {
      String option = options.get(key);
      String variable = surroundings.variable("MILLRACE_" + key.toUpperCase(Locale.ROOT));
      found.put(key, option != null ? option : variable != null ? variable : profile.get(key));
    }
    if (found.get("endpoint") != null && found.get("embedded") != null) {
      // The option beats the profile and the environment.
      if ((options.get("endpoint") == null) == (options.get("embedded") == null)) {
        throw CommandFailure.usage(
            "either --embedded or --endpoint, not both: leave one of them out");
      }
      found.put("endpoint", options.get("endpoint"));
      found.put("embedded", options.get("embedded"));
    }
    String endpoint = found.get("endpoint");
    String embedded = found.get("embedded");
    return new Settings(
        Objects.requireNonNullElse(found.get("table"), "limits"),
        endpoint == null ? null : uri(endpoint),
        found.get("region"),
        Objects.requireNonNullElse(found.get("namespace"), "default"),
        embedded == null ? null : Path.of(embedded),
        Objects.requireNonNullElse(found.get("actor"), System.getProperty("user.name", "unknown")));
  }

  /** The same, for a command that cannot start an engine by itself. */
  public Settings withoutEngine() {
    if (embedded != null) {
      throw CommandFailure.usage(
          "MILLRACE_EMBEDDED or the profile says '%s', and this command starts no engine: name the --endpoint of one that runs"
              .formatted(embedded));
    }
    return this;
  }

  /** DynamoDB at the endpoint. */
  public ServiceEndpoint dynamo() {
    return new ServiceEndpoint(endpoint, region);
  }

  private static URI uri(String text) {
    try {
      URI uri = new URI(text);
      if (uri.getScheme() != null && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw CommandFailure.usage(
        "endpoint '%s' is not an address such as http://127.0.0.1:8000".formatted(text));
  }
}
