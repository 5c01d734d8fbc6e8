package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.text.Output;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
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

  @Override
  Map<String, @Nullable String> options() {
    Map<String, @Nullable String> options = super.options();
    options.put("embedded", embedded);
    return options;
  }

  /** Runs {@code work}, which returns one of {@link ExitCodes}, on the table. */
  public int run(ToIntFunction<Session> work) {
    try (Session session = Session.open(settings(), Output.of(spec(), json))) {
      return work.applyAsInt(session);
    } catch (IllegalArgumentException e) { // an impossible value is wrong usage
      throw CommandFailure.usage(e.getMessage() + ": see '" + spec().qualifiedName() + " --help'");
    }
  }
}
