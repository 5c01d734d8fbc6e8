package dev.millrace.cli.services.worker;

import dev.millrace.MillraceException;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.text.JsonText;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.s3.S3Location;
import dev.millrace.worker.WorkerException;
import dev.millrace.worker.letters.LetterSource;
import dev.millrace.worker.letters.Replay;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Replays dead letters; each is counted once, however often this is run. */
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
public final class ReplayCommand extends CliCommand implements Callable<Integer> {
  private static final String SQS = "sqs:";

  @Mixin private final TableOptions options = new TableOptions();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      required = true,
      description = "Where they are: a file, s3://bucket/prefix, or sqs: and the queue's URL.")
  private String from;

  @Option(names = "--remove", description = "Remove the letters that were replayed.")
  private boolean remove;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    try (ServiceClients clients = options.clients(options.endpoint())) {
      Aggregator.Builder builder =
          Aggregator.builder(
              DynamoUsageStore.of(clients.dynamoClient(), options.table()), letters -> {});
      options.zones(spec().commandLine()).forEach(builder::zone);
      Replay.Result result = new Replay(builder.build()).run(source(clients), remove);
      print(result);
      return result.isComplete() ? ExitCodes.DONE : ExitCodes.FAILED;
    } catch (WorkerException | UncheckedIOException | SdkException | MillraceException e) {
      printError("replay", e.getMessage());
      return ExitCodes.UNREACHABLE;
    }
  }

  private LetterSource source(ServiceClients clients) {
    if (from.startsWith(SQS)) {
      return new LetterSource.QueueLetters(clients.sqsClient(), from.substring(SQS.length()));
    }
    if (from.startsWith("s3:")) {
      try {
        return new LetterSource.S3Letters(clients.s3Client(), S3Location.parse(from));
      } catch (IllegalArgumentException e) {
        throw wrongUsage(e.getMessage());
      }
    }
    Path file = Path.of(from);
    if (!Files.isReadable(file)) {
      throw wrongUsage("--from " + from + " is no file that can be read");
    }
    return new LetterSource.FileLetters(file);
  }

  private void print(Replay.Result result) {
    String line =
        "%d letters: %d applied, %d replayed before, %d ignored, %d not understood, %d no letters"
            .formatted(
                result.letters(),
                result.applied(),
                result.duplicates(),
                result.ignored(),
                result.poison(),
                result.unreadable());
    output(json)
        .one(
            JsonText.object(
                "letters", result.letters(),
                "applied", result.applied(),
                "duplicates", result.duplicates(),
                "ignored", result.ignored(),
                "poison", result.poison(),
                "unreadable", result.unreadable()),
            () -> List.of(line));
  }
}
