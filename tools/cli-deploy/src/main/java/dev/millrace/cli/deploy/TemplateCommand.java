package dev.millrace.cli.deploy;

import dev.millrace.MillraceException;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.deploy.template.StackTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the template. */
@Command(
    name = "template",
    description = "Prints the CloudFormation template of this version.",
    footer = {
      "%nExamples:",
      "  millrace template --output stack.json",
      "  millrace template | aws cloudformation deploy --template-file /dev/stdin …"
    })
public final class TemplateCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write it there instead.")
  private @Nullable Path output;

  @Option(names = "--json", description = "Without line breaks.")
  private boolean json;

  @Override
  public Integer call() {
    StackTemplate template = StackTemplate.load();
    String text = json ? template.compact() + "\n" : template.pretty();
    if (output == null) {
      spec().commandLine().getOut().print(text);
      spec().commandLine().getOut().flush();
      return ExitCodes.DONE;
    }
    try {
      Files.writeString(output, text);
    } catch (IOException e) {
      throw new MillraceException(
          "the template cannot be written", Map.of("file", output, "reason", e.toString()), e);
    }
    return ExitCodes.DONE;
  }
}
