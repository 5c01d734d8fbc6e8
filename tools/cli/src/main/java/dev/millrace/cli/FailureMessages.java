package dev.millrace.cli;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.cli.demo.DemoFailure;
import dev.millrace.embedded.EmbeddedEngineException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Failures that we know get one line: what, why, and what to do next. What we do not know is a bug,
 * and gets its stack trace.
 */
enum FailureMessages implements IExecutionExceptionHandler {
  INSTANCE;

  private static final String TODO = "todo";
  private static final String NO_TABLE = "ResourceNotFoundException";
  private static final String REACH =
      "check --endpoint, --region and the network, then run it again";

  private record Known(int exitCode, String message) {}

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parsedCommand) {
    Known known = known(failure);
    if (known == null) {
      failure.printStackTrace(command.getErr());
      return ExitCodes.FAILED;
    }
    String message = "millrace: " + known.message();
    command.getErr().println(command.getColorScheme().errorText(message));
    return known.exitCode();
  }

  private static @Nullable Known known(Exception failure) {
    if (failure instanceof CommandFailure ended) {
      return new Known(ended.exitCode(), text(ended));
    }
    if (failure instanceof ChangeRefusedException refused) {
      return new Known(exitCode(refused.reason()), text(refused, null));
    }
    if (failure instanceof LimiterUnavailableException away) {
      return new Known(ExitCodes.UNREACHABLE, text(away, REACH));
    }
    if (failure instanceof MillraceException other) {
      boolean noTable = NO_TABLE.equals(other.attributes().get("errorCode"));
      return new Known(
          noTable || isUnknownNamespace(other) ? ExitCodes.NOT_FOUND : ExitCodes.FAILED,
          noTable
              ? text(other, "name the --table, or make it with 'millrace table create'")
              : text(other, null));
    }
    if (failure instanceof DemoFailure || failure instanceof EmbeddedEngineException) {
      return new Known(ExitCodes.FAILED, text(failure));
    }
    return failure instanceof SdkException sdk ? known(sdk) : null;
  }

  /** What the set-up of tables throws is thrown as the SDK has it. */
  private static Known known(SdkException failure) {
    if (failure instanceof ResourceNotFoundException) {
      return new Known(
          ExitCodes.NOT_FOUND,
          "there is no such table: name the --table, or make it with 'millrace table create'");
    }
    return failure instanceof DynamoDbException
        ? new Known(ExitCodes.FAILED, "DynamoDB refused: " + text(failure))
        : new Known(ExitCodes.UNREACHABLE, text(failure) + ": " + REACH);
  }

  private static boolean isUnknownNamespace(MillraceException failure) {
    return failure.attributes().containsKey("namespace") && failure.attributes().containsKey(TODO);
  }

  private static int exitCode(ChangeRefusedException.Reason reason) {
    return switch (reason) {
      case UNKNOWN_ENTITY,
          UNKNOWN_PARENT,
          UNKNOWN_BUCKET,
          UNKNOWN_LIMIT,
          UNKNOWN_NAMESPACE,
          UNKNOWN_JOB ->
          ExitCodes.NOT_FOUND;
      default -> ExitCodes.REFUSED;
    };
  }

  /** What it is about, and what to do: its own advice, else {@code otherwise}. */
  private static String text(MillraceException failure, @Nullable String otherwise) {
    Map<String, Object> about = new LinkedHashMap<>(failure.attributes());
    Object own = about.remove(TODO);
    Object next = otherwise == null ? own : otherwise;
    return failure.summary()
        + (about.isEmpty() ? "" : " " + about)
        + (next == null ? "" : ": " + next);
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
