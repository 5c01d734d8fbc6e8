package dev.millrace.dynamodb.internal.call;

import dev.millrace.LimiterConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Answers of DynamoDB that mean a mistake in set-up. They are not "unavailable": a limiter that is
 * told to allow when the store is away must not allow everything because of a wrong table name.
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

  /** Error codes are the only thing that tells these apart: the SDK has no types for most. */
  private static final Map<String, SetupErrors> BY_CODE =
      Map.ofEntries(
          Map.entry("ResourceNotFoundException", NO_TABLE),
          Map.entry("AccessDeniedException", DENIED),
          Map.entry("AccessDenied", DENIED),
          Map.entry("UnrecognizedClientException", NOT_AUTHENTICATED),
          Map.entry("InvalidClientTokenId", NOT_AUTHENTICATED),
          Map.entry("MissingAuthenticationToken", NOT_AUTHENTICATED),
          Map.entry("MissingAuthenticationTokenException", NOT_AUTHENTICATED),
          Map.entry("IncompleteSignature", NOT_AUTHENTICATED),
          Map.entry("IncompleteSignatureException", NOT_AUTHENTICATED),
          Map.entry("InvalidSignatureException", NOT_AUTHENTICATED),
          Map.entry("SignatureDoesNotMatch", NOT_AUTHENTICATED),
          Map.entry("ExpiredToken", NOT_AUTHENTICATED),
          Map.entry("ExpiredTokenException", NOT_AUTHENTICATED),
          Map.entry("RequestExpired", NOT_AUTHENTICATED),
          Map.entry("RequestTimeTooSkewed", NOT_AUTHENTICATED),
          Map.entry("RequestInTheFuture", NOT_AUTHENTICATED),
          Map.entry("ValidationException", NOT_ACCEPTED),
          Map.entry("ValidationError", NOT_ACCEPTED),
          Map.entry("SerializationException", NOT_ACCEPTED),
          Map.entry("UnknownOperationException", NOT_ACCEPTED));

  private final String summary;
  private final String todo;

  SetupErrors(String summary, String todo) {
    this.summary = summary;
    this.todo = todo;
  }

  /** What {@code answered} says about the set-up, or null when it says nothing about it. */
  static @Nullable LimiterConfigurationException classify(
      AwsServiceException answered, String table, String operation) {
    String code =
        answered.awsErrorDetails() == null ? null : answered.awsErrorDetails().errorCode();
    SetupErrors error = code == null ? null : BY_CODE.get(code);
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
