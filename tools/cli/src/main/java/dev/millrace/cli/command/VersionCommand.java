package dev.millrace.cli.command;

import dev.millrace.cli.BuildVersion;
import dev.millrace.cli.CliCommand;
import dev.millrace.core.spi.directory.SchemaRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the version of this build. */
@Command(name = "version", description = "Prints the version, that of tables, and that of Java.")
public final class VersionCommand extends CliCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("millrace", BuildVersion.version());
    fields.put("schema", SchemaRecord.SUPPORTED);
    fields.put("java", Runtime.version().toString());
    return output(json)
        .one(
            fields,
            () -> fields.entrySet().stream().map(f -> f.getKey() + " " + f.getValue()).toList());
  }
}
