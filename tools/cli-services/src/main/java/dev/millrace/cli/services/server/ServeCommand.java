package dev.millrace.cli.services.server;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.text.Output;
import dev.millrace.server.ServerException;
import dev.millrace.server.config.Config;
import dev.millrace.server.config.ConfigKey;
import dev.millrace.server.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Runs a server on a table that exists. */
@Command(
    name = "serve",
    description = {
      "Serves the limiter over HTTP, to callers that bring a key.",
      "Each setting is the first that is found: flag, MILLRACE_… variable, file, default."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:stopped as asked", "2:wrong usage or configuration", "5:could not start"})
public final class ServeCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  @Option(names = "--config", paramLabel = "FILE", description = "The file, YAML or JSON.")
  private @Nullable Path file;

  @Option(
      names = "--print-config",
      description = "Print each value and where it comes from, and exit.")
  private boolean printConfig;

  @Option(names = "--json", description = "Print what happens as lines of JSON.")
  private boolean json;

  /** The command with an option for each key. */
  @Override
  public Object command() {
    CommandSpec command = CommandSpec.forAnnotatedObject(this);
    for (ConfigKey key : ConfigKey.values()) {
      command.addOption(
          OptionSpec.builder(key.flag())
              .paramLabel("VALUE")
              .type(String.class)
              .description(key.descriptionWithDefault())
              .build());
    }
    return command;
  }

  @Override
  public Integer call() {
    Output output = output(json);
    try {
      Config config = Config.resolve(file, Millrace.surroundings(spec())::variable, this::flag);
      if (printConfig) {
        config.lines().forEach(this::print);
        return ExitCodes.DONE;
      }
      ServerProcess.run(
          config,
          uri ->
              output.one(
                  Map.of("event", "ready", "url", uri.toString()),
                  () -> List.of("Millrace is ready: " + uri)),
          () -> output.line("stopping"));
      return ExitCodes.DONE;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (ServerException e) {
      throw new CommandFailure(ExitCodes.UNREACHABLE, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String flag(String name) {
    OptionSpec option = spec().findOption(name);
    return option == null ? null : option.getValue();
  }
}
