package dev.millrace.dynamodb.internal.call;

import dev.millrace.LimiterConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Answers of DynamoDB that mean a mistake in set-up. They are not "unavailable": a limiter that
 * allows when the store is away must not allow everything because of a wrong table name. Error
 * codes are all that separates them: the SDK has no types for most.
 */
enum SetupErrors {
  NO_TABLE(
      "the table does not exist",
      "correct the table's name, region or endpoint, or create it with TableAdmin"),
  DENIED(
      "the credentials may not use the table",
      "allow dynamodb:GetItem, PutItem, UpdateItem, DeleteItem, ConditionCheckItem, BatchGetItem,"
          + " BatchWriteItem, Query and Scan on it, and Query on its indexes"),
  NOT_AUTHENTICATED(
      "DynamoDB does not accept the credentials",
      "check the access key, its session token and region, and the clock of this host"),
  NOT_ACCEPTED(
      "DynamoDB does not accept the request",
      "check with TableAdmin that the table is one of Millrace");

  private final String summary;
  private final String todo;

  SetupErrors(String summary, String todo) {
    this.summary = summary;
    this.todo = todo;
  }

  private static @Nullable SetupErrors of(String code) {
    return switch (code) {
      case "ResourceNotFoundException" -> NO_TABLE;
      case "AccessDeniedException", "AccessDenied" -> DENIED;
      case "UnrecognizedClientException",
          "InvalidClientTokenId",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "IncompleteSignature",
          "IncompleteSignatureException",
          "InvalidSignatureException",
          "SignatureDoesNotMatch",
          "ExpiredToken",
          "ExpiredTokenException",
          "RequestExpired",
          "RequestTimeTooSkewed",
          "RequestInTheFuture" ->
          NOT_AUTHENTICATED;
      case "ValidationException",
          "ValidationError",
          "SerializationException",
          "UnknownOperationException" ->
          NOT_ACCEPTED;
      default -> null;
    };
  }

  /** The mistake in set-up that {@code answered} means, or null when it means none. */
  static @Nullable LimiterConfigurationException classify(
      AwsServiceException answered, String table, String operation) {
    String code =
        answered.awsErrorDetails() == null ? null : answered.awsErrorDetails().errorCode();
    SetupErrors error = code == null ? null : of(code);
    if (error == null) {
      return null;
    }
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("table", table);
    attributes.put("operation", operation);
    attributes.put("errorCode", code);
    attributes.put("todo", error.todo);
    return new LimiterConfigurationException(error.summary, attributes, answered);
  }
}
