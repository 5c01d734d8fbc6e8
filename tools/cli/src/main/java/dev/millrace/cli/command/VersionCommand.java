package dev.millrace.cli.command;

import dev.millrace.cli.BuildVersion;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.text.JsonText;
import dev.millrace.core.spi.directory.SchemaRecord;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which version this is. */
@Command(name = "version", description = "Prints the version, that of tables, and that of Java.")
public final class VersionCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("millrace", BuildVersion.version());
    fields.put("schema", SchemaRecord.SUPPORTED);
    fields.put("java", Runtime.version().toString());
    if (json) {
      spec.commandLine().getOut().println(JsonText.of(fields));
    } else {
      fields.forEach((name, value) -> spec.commandLine().getOut().println(name + " " + value));
    }
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }
}
