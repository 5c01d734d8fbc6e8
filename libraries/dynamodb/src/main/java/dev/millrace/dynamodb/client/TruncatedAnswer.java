package dev.millrace.dynamodb.client;

import java.io.IOException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The check that an error answer arrived whole. When a connection breaks in the middle of one, the
 * SDK parses the part that it has: a refused condition then shows half an item or none, or loses
 * its error code. Such an answer is a broken connection, not an answer.
 */
final class TruncatedAnswer {
  private static final String CONTENT_LENGTH = "Content-Length";

  private TruncatedAnswer() {}

  /** A broken connection if {@code failure} is an answer that was cut off, else the failure. */
  static SdkException asBroken(SdkException failure) {
    return failure instanceof AwsServiceException answered && isTruncated(answered)
        ? SdkClientException.create(
            "the connection broke in the middle of an answer",
            new IOException("the body is shorter than its " + CONTENT_LENGTH, failure))
        : failure;
  }

  private static boolean isTruncated(AwsServiceException answered) {
    AwsErrorDetails details = answered.awsErrorDetails();
    if (details == null || details.sdkHttpResponse() == null) {
      return false;
    }
    int received =
        details.rawResponse() == null ? 0 : details.rawResponse().asByteArrayUnsafe().length;
    return details
        .sdkHttpResponse()
        .firstMatchingHeader(CONTENT_LENGTH)
        .map(announced -> received < number(announced))
        .orElse(false);
  }

  private static long number(String announced) {
    try {
      return Long.parseLong(announced.trim());
    } catch (NumberFormatException e) {
      return 0; // says nothing
    }
  }
}
