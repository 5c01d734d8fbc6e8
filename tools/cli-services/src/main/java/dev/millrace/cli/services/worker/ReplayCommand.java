package dev.millrace.cli.services.worker;

import dev.millrace.MillraceException;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.worker.Endpoints;
import dev.millrace.worker.Fields;
import dev.millrace.worker.letters.FileLetters;
import dev.millrace.worker.letters.LetterSource;
import dev.millrace.worker.letters.Replay;
import dev.millrace.worker.letters.ReplayException;
import dev.millrace.worker.letters.S3Letters;
import dev.millrace.worker.letters.SqsLetters;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;

/** Replays dead letters, once each, however often it is run. */
@Command(
    name = "replay",
    description = {
      "Counts what is in dead letters, after a repair of the worker or of the letters.",
      "A letter that was replayed before is counted no second time."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all letters are replayed",
      "1:some still cannot be understood",
      "2:wrong usage",
      "5:could not be run to its end; run it again"
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final int EXIT_COMPLETE = 0;
  private static final int EXIT_LEFT = 1;
  private static final int EXIT_NOT_RUN = ExitCodes.UNREACHABLE;
  private static final String SQS = "sqs:";

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      required = true,
      description = "Where they are: a file, s3://bucket/prefix, or sqs: and the queue's URL.")
  @SuppressWarnings("NullAway.Init") // required
  private String from;

  @Option(names = "--remove", description = "Remove the letters that were replayed.")
  private boolean remove;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    try (Endpoints endpoints = options.endpoints(options.endpoint())) {
      Aggregator aggregator =
          Aggregator.builder(
                  DynamoUsageStore.of(endpoints.dynamoClient(), options.table()), letters -> {})
              .settings(options.usage(command))
              .build();
      Replay.Result result = new Replay(aggregator).run(source(command, endpoints), remove);
      command.getOut().println(json ? json(result) : text(result));
      return result.isComplete() ? EXIT_COMPLETE : EXIT_LEFT;
    } catch (ReplayException | UncheckedIOException | SdkException | MillraceException e) {
      command.getErr().println(command.getColorScheme().errorText("replay: " + e.getMessage()));
      return EXIT_NOT_RUN;
    }
  }

  private LetterSource source(CommandLine command, Endpoints endpoints) {
    if (from.startsWith(SQS)) {
      return new SqsLetters(endpoints.sqsClient(), from.substring(SQS.length()));
    }
    if (from.startsWith("s3:")) {
      return new S3Letters(endpoints.s3Client(), TableOptions.location(command, from));
    }
    Path file = Path.of(from);
    if (!Files.isReadable(file)) {
      throw new ParameterException(command, "--from " + from + " is no file that can be read");
    }
    return new FileLetters(file);
  }

  private static String json(Replay.Result result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("letters", result.letters());
    fields.put("applied", result.applied());
    fields.put("duplicates", result.duplicates());
    fields.put("ignored", result.ignored());
    fields.put("poison", result.poison());
    fields.put("unreadable", result.unreadable());
    return Fields.json(fields);
  }

  private static String text(Replay.Result result) {
    return "%d letters: %d applied, %d replayed before, %d ignored, %d not understood, %d no letters"
        .formatted(
            result.letters(),
            result.applied(),
            result.duplicates(),
            result.ignored(),
            result.poison(),
            result.unreadable());
  }
}
