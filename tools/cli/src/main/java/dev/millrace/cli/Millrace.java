package dev.millrace.cli;

import dev.millrace.cli.command.AuditCommand;
import dev.millrace.cli.command.BackupCommand;
import dev.millrace.cli.command.BucketCommand;
import dev.millrace.cli.command.CompletionCommand;
import dev.millrace.cli.command.EntityCommand;
import dev.millrace.cli.command.JobsCommand;
import dev.millrace.cli.command.LimitsCommand;
import dev.millrace.cli.command.MigrateCommand;
import dev.millrace.cli.command.NamespaceCommand;
import dev.millrace.cli.command.ResourceCommand;
import dev.millrace.cli.command.RestoreCommand;
import dev.millrace.cli.command.StatusCommand;
import dev.millrace.cli.command.SystemCommand;
import dev.millrace.cli.command.TableCommand;
import dev.millrace.cli.command.UsageCommand;
import dev.millrace.cli.command.VersionCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command: names the others. */
@Command(
    name = "millrace",
    description = "A distributed rate limiter: many limits, one atomic write.",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    subcommands = {
      DemoCommand.class,
      StatusCommand.class,
      NamespaceCommand.class,
      EntityCommand.class,
      LimitsCommand.class,
      ResourceCommand.class,
      SystemCommand.class,
      BucketCommand.class,
      UsageCommand.class,
      AuditCommand.class,
      JobsCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      TableCommand.class,
      MigrateCommand.class,
      CompletionCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Also, built when they are first used: 'millrace up', 'serve', 'key', 'envoy', 'worker', 'regions',",
      "'deploy', 'stack', 'template', 'check', 'cost', 'bench', 'simulate', 'soak' and 'fuzz'.",
      "",
      "Try it without AWS: mkdir state && millrace entity list --embedded state"
    })
public final class Millrace implements Runnable {
  private final Surroundings surroundings;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  private Millrace(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(
        commandLine(Surroundings.ofProcess(), utf8(System.out), utf8(System.err)).execute(args));
  }

  /** The command with all that is on the class path, printing to these. */
  static CommandLine commandLine(Surroundings surroundings, PrintWriter out, PrintWriter err) {
    return commandLine(surroundings, ServiceLoader.load(ExtraCommand.class), out, err);
  }

  /** The command with these others, printing to these. */
  public static CommandLine commandLine(
      Surroundings surroundings, Iterable<ExtraCommand> extras, PrintWriter out, PrintWriter err) {
    CommandLine commandLine = new CommandLine(new Millrace(surroundings));
    ExitCodes.describe(commandLine); // before the others come, which have their own
    for (ExtraCommand extra : extras) {
      commandLine.addSubcommand(extra.command());
    }
    return commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(FailureMessages.INSTANCE);
  }

  /** What is around the command that {@code spec} belongs to; this process, when it is alone. */
  public static Surroundings surroundings(CommandSpec spec) {
    return spec.root().userObject() instanceof Millrace millrace
        ? millrace.surroundings
        : Surroundings.ofProcess();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: try 'millrace demo'");
  }

  /** UTF-8 whatever the locale: what is printed does not depend on the machine. */
  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }
}
