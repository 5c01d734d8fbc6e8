package dev.millrace.cli.services.server;

import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.server.envoy.EnvoyMapping;
import dev.millrace.server.envoy.MappingException;
import dev.millrace.server.envoy.MappingReader;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks mapping files before a server gets them. */
@Command(name = "envoy", description = "Mapping files of Envoy's rate-limit service.")
public final class EnvoyCommand implements ExtraCommand, Runnable {
  private static final int WRONG = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: check");
  }

  @Command(
      name = "check",
      description =
          "Says whether a mapping file can be used, and everything that is wrong with it.",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:it can be used", "1:it cannot", "2:wrong usage"})
  int check(@Parameters(paramLabel = "FILE") Path file) {
    CommandLine command = spec.commandLine();
    try {
      EnvoyMapping mapping = MappingReader.read(file);
      int rules = mapping.domains().values().stream().mapToInt(one -> one.rules().size()).sum();
      command.getOut().printf("%s: %d domains, %d rules%n", file, mapping.domains().size(), rules);
      return CommandLine.ExitCode.OK;
    } catch (MappingException e) {
      command.getErr().println(e.getMessage());
      return WRONG;
    }
  }
}
