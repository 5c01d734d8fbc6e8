package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.text.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of every command that works on a table; a mixin. */
public final class ConnectionOptions extends NamespacePlace {
  @Option(
      names = "--embedded",
      paramLabel = "DIR",
      description =
          "Work on DynamoDB Local with its state in DIR, without AWS (MILLRACE_EMBEDDED).")
  private @Nullable String embedded;

  @Option(names = "--json", description = "Print one JSON object a line, and nothing else.")
  private boolean json;

  /** What a command does with its table; returns one of {@link ExitCodes}. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    int on(Session session);
  }

  @Override
  Settings.Given given() {
    Settings.Given place = super.given();
    return new Settings.Given(
        place.table(),
        place.endpoint(),
        place.region(),
        place.namespace(),
        embedded,
        place.actor(),
        place.profile());
  }

  /** Where to print. */
  public Output output() {
    CommandLine command = spec().commandLine();
    return new Output(command.getOut(), command.getErr(), json, surroundings().watched());
  }

  /** Does something with the table. A value that cannot be is wrong usage. */
  public int run(Work work) {
    try (Session session = Session.open(settings(), output())) {
      return work.on(session);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCodes.USAGE, e.getMessage() + ": see '" + spec().qualifiedName() + " --help'");
    }
  }
}
