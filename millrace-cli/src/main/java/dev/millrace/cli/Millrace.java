package dev.millrace.cli;

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
    subcommands = {DemoCommand.class, HelpCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    footer =
        "%nAlso: 'millrace worker', 'millrace bench' and 'millrace soak', built when they are first used.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed", "2:wrong usage"})
public final class Millrace implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  private Millrace() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine(utf8(System.out), utf8(System.err)).execute(args));
  }

  /** The command, printing to these. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine commandLine = new CommandLine(new Millrace());
    for (ExtraCommand extra : ServiceLoader.load(ExtraCommand.class)) {
      commandLine.addSubcommand(extra.command());
    }
    return commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(FailureMessages.INSTANCE);
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
