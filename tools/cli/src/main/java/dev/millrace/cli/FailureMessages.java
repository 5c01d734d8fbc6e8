package dev.millrace.cli;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.embedded.EmbeddedEngineException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Prints a failure that is expected to occur as one line: what, why, and what to do next. Any other
 * is a bug and printed with its stack trace.
 */
enum FailureMessages implements IExecutionExceptionHandler {
  INSTANCE;

  private static final String TODO = "todo";
  private static final String REACH =
      "check --endpoint, --region and the network, then run it again";
  private static final String NO_TABLE =
      "name the --table, or make it with 'millrace table create'";

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parsedCommand) {
    CommandFailure known = known(failure);
    if (known == null) {
      failure.printStackTrace(command.getErr());
      return ExitCodes.FAILED;
    }
    String message = "millrace: " + known.getMessage();
    command.getErr().println(command.getColorScheme().errorText(message));
    return known.exitCode();
  }

  private static @Nullable CommandFailure known(Exception failure) {
    if (failure instanceof CommandFailure known) {
      return known;
    }
    if (failure instanceof ChangeRefusedException refused) {
      return new CommandFailure(exitCode(refused.reason()), text(refused, null));
    }
    if (failure instanceof LimiterUnavailableException away) {
      return new CommandFailure(ExitCodes.UNREACHABLE, text(away, REACH));
    }
    if (failure instanceof MillraceException other) {
      if ("ResourceNotFoundException".equals(other.attributes().get("errorCode"))) {
        return new CommandFailure(ExitCodes.NOT_FOUND, text(other, NO_TABLE));
      }
      boolean unknownNamespace = other.attributes().keySet().containsAll(Set.of("namespace", TODO));
      return new CommandFailure(
          unknownNamespace ? ExitCodes.NOT_FOUND : ExitCodes.FAILED, text(other, null));
    }
    if (failure instanceof EmbeddedEngineException) {
      return new CommandFailure(ExitCodes.FAILED, text(failure));
    }
    if (failure instanceof ResourceNotFoundException) { // the set-up of tables throws the SDK's
      return new CommandFailure(ExitCodes.NOT_FOUND, "there is no such table: " + NO_TABLE);
    }
    if (failure instanceof DynamoDbException) {
      return new CommandFailure(ExitCodes.FAILED, "DynamoDB refused: " + text(failure));
    }
    return failure instanceof SdkException
        ? new CommandFailure(ExitCodes.UNREACHABLE, text(failure) + ": " + REACH)
        : null;
  }

  private static int exitCode(ChangeRefusedException.Reason reason) {
    return reason.name().startsWith("UNKNOWN_") ? ExitCodes.NOT_FOUND : ExitCodes.REFUSED;
  }

  /** Summary, attributes, and the next step: {@code otherwise}, else the failure's own. */
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
