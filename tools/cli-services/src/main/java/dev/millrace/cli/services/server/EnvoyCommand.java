package dev.millrace.cli.services.server;

import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.server.envoy.EnvoyMapping;
import dev.millrace.server.envoy.MappingException;
import dev.millrace.server.envoy.MappingReader;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks mapping files before a server gets them. */
@Command(name = "envoy", description = "Mapping files of Envoy's rate-limit service.")
public final class EnvoyCommand extends CommandGroup implements ExtraCommand {
  @Command(
      name = "check",
      description =
          "Says whether a mapping file can be used, and everything that is wrong with it.",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:it can be used", "1:it cannot", "2:wrong usage"})
  int check(@Parameters(paramLabel = "FILE") Path file) {
    try {
      EnvoyMapping mapping = MappingReader.read(file);
      int rules = mapping.domains().values().stream().mapToInt(one -> one.rules().size()).sum();
      print("%s: %d domains, %d rules".formatted(file, mapping.domains().size(), rules));
      return ExitCodes.DONE;
    } catch (MappingException e) {
      spec().commandLine().getErr().println(e.getMessage());
      return ExitCodes.FAILED;
    }
  }
}
