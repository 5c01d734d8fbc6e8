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
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command, which holds all others. */
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

  @Spec private CommandSpec spec;

  private Millrace(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(
        commandLine(Surroundings.ofProcess(), utf8(System.out), utf8(System.err)).execute(args));
  }

  /** The command with all commands on the class path, printing to these streams. */
  static CommandLine commandLine(Surroundings surroundings, PrintWriter out, PrintWriter err) {
    return commandLine(surroundings, ServiceLoader.load(ExtraCommand.class), out, err);
  }

  /** The command with these additional commands, printing to these streams. */
  public static CommandLine commandLine(
      Surroundings surroundings, Iterable<ExtraCommand> extras, PrintWriter out, PrintWriter err) {
    CommandLine commandLine = new CommandLine(new Millrace(surroundings));
    ExitCodes.describe(commandLine); // not the extra commands, which have their own
    extras.forEach(extra -> commandLine.addSubcommand(extra.command()));
    addHelp(commandLine);
    return commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(FailureMessages.INSTANCE);
  }

  /** Adds the options of help to every command that does not declare them itself. */
  private static void addHelp(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.findOption("--help") == null) {
      spec.versionProvider(new BuildVersion());
      String help = "Show this help message and exit.";
      String version = "Print version information and exit.";
      spec.addOption(OptionSpec.builder("-h", "--help").usageHelp(true).description(help).build());
      spec.addOption(
          OptionSpec.builder("-V", "--version").versionHelp(true).description(version).build());
    }
    command.getSubcommands().values().forEach(Millrace::addHelp);
  }

  /** Those of the root of the command that {@code spec} belongs to, else those of this process. */
  public static Surroundings surroundings(CommandSpec spec) {
    return spec.root().userObject() instanceof Millrace millrace
        ? millrace.surroundings
        : Surroundings.ofProcess();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: try 'millrace demo'");
  }

  /** Prints UTF-8 in every locale. */
  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }
}
