package dev.millrace.cli.services.server;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.core.internal.NameRules;
import dev.millrace.server.security.NewKey;
import dev.millrace.server.security.Scope;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes keys for callers of a server. */
@Command(
    name = "key",
    description = "Makes keys for callers of a server.",
    subcommands = KeyCommand.New.class,
    synopsisSubcommandLabel = "COMMAND")
public final class KeyCommand implements ExtraCommand, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: try 'millrace key new'");
  }

  /** Makes one. */
  @Command(
      name = "new",
      description = "Prints a new key, once, and the entry for the file of keys.")
  static final class New implements Callable<Integer> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@:-]{0,99}");

    @Spec
    @SuppressWarnings("NullAway.Init") // set before the command runs
    private CommandSpec spec;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private final HelpOption help = new HelpOption();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Who calls.")
    @SuppressWarnings("NullAway.Init") // required
    private String name;

    @Option(
        names = "--scope",
        required = true,
        split = ",",
        paramLabel = "SCOPE",
        description = "What it may do: acquire, read, admin; several with commas.")
    @SuppressWarnings("NullAway.Init") // required
    private Set<Scope> scopes;

    @Option(
        names = "--namespace",
        paramLabel = "NAME",
        description = "The only one that it may touch (default: all).")
    private @Nullable String namespace;

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        description = "Until when it is good, such as 2027-01-01T00:00:00Z (default: always).")
    private @Nullable String expires;

    @Override
    public Integer call() {
      if (!NAME.matcher(name).matches()) {
        throw wrong("--name '" + name + "' must be at most 100 letters, digits and _.@:-");
      }
      NewKey key = NewKey.of(name, scopes, checkedNamespace(), moment());
      PrintWriter out = spec.commandLine().getOut();
      out.println("The key, shown this once:");
      out.println(key.text());
      out.println();
      out.println("For the file of keys, below 'keys:':");
      out.print(key.entry());
      out.flush();
      return ExitCodes.DONE;
    }

    private @Nullable String checkedNamespace() {
      try {
        return namespace == null ? null : NameRules.requireNamespace(namespace);
      } catch (IllegalArgumentException e) {
        throw wrong("--namespace: " + e.getMessage());
      }
    }

    private @Nullable Instant moment() {
      try {
        return expires == null ? null : Instant.parse(expires);
      } catch (DateTimeParseException e) {
        throw wrong("--expires '" + expires + "' must be a moment such as 2027-01-01T00:00:00Z");
      }
    }

    private static CommandFailure wrong(String message) {
      return new CommandFailure(ExitCodes.USAGE, message);
    }
  }
}
