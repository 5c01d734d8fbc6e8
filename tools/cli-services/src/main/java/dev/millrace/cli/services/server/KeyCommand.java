package dev.millrace.cli.services.server;

import dev.millrace.NameRules;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.server.security.NewKey;
import dev.millrace.server.security.Scope;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes keys for callers of a server. */
@Command(name = "key", description = "Makes keys for callers of a server.")
public final class KeyCommand extends CommandGroup implements ExtraCommand {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@:-]{0,99}");

  @Command(
      name = "new",
      description = "Prints a new key, once, and the entry for the file of keys.")
  int create(
      @Option(names = "--name", required = true, paramLabel = "NAME", description = "Who calls.")
          String name,
      @Option(
              names = "--scope",
              required = true,
              split = ",",
              paramLabel = "SCOPE",
              description = "What it may do: acquire, read, admin; several with commas.")
          Set<Scope> scopes,
      @Option(
              names = "--namespace",
              paramLabel = "NAME",
              description = "The only one that it may touch (default: all).")
          @Nullable String namespace,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              description =
                  "Until when it is good, such as 2027-01-01T00:00:00Z (default: always).")
          @Nullable String expires) {
    if (!NAME.matcher(name).matches()) {
      throw CommandFailure.usage(
          "--name '" + name + "' must be at most 100 letters, digits and _.@:-");
    }
    NewKey key = NewKey.of(name, scopes, checked(namespace), instant(expires));
    print("The key, shown this once:");
    print(key.text());
    print("");
    print("For the file of keys, below 'keys:':");
    print(key.entry().stripTrailing());
    return ExitCodes.DONE;
  }

  private static @Nullable String checked(@Nullable String namespace) {
    try {
      return namespace == null ? null : NameRules.requireNamespace(namespace);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--namespace: " + e.getMessage());
    }
  }

  private static @Nullable Instant instant(@Nullable String expires) {
    try {
      return expires == null ? null : Instant.parse(expires);
    } catch (DateTimeParseException e) {
      throw CommandFailure.usage(
          "--expires '" + expires + "' must be a moment such as 2027-01-01T00:00:00Z");
    }
  }
}
