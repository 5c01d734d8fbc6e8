package dev.millrace.dynamodb.internal.call;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The check that an answer arrived whole.
 *
 * <p>When a connection breaks in the middle of an error, the SDK parses the part that it has: a
 * refused condition then shows half an item or none, or loses its error code. When it breaks right
 * after the head of a success, some HTTP clients report an empty body, which the SDK takes for an
 * answer without any field: no item, no records. Such an answer is a broken connection, not an
 * answer.
 */
public final class TruncatedAnswer {
  private static final String CONTENT_LENGTH = "Content-Length";

  /** The length of {@code {}}, the shortest answer there is. */
  private static final int SHORTEST_ANSWER = 2;

  private static final byte[] NOTHING = {};

  private TruncatedAnswer() {}

  /** A broken connection if {@code failure} is an answer that was cut off, else the failure. */
  public static SdkException asBroken(SdkException failure) {
    return failure instanceof AwsServiceException answered && isTruncated(answered)
        ? broken(failure)
        : failure;
  }

  /** The broken connection that an answer without any field stands for, null when it is whole. */
  static @Nullable SdkException asBroken(SdkResponse answer) {
    return isShortest(answer.sdkHttpResponse()) ? null : broken(null);
  }

  private static SdkException broken(@Nullable Throwable cause) {
    return SdkClientException.create(
        "the connection broke in the middle of an answer",
        new IOException("the body is shorter than it was announced", cause));
  }

  /**
   * Whether an empty answer is what was sent. Every request asks for the consumed capacity, so
   * DynamoDB never sends one; other stores may, and then say how long it is.
   */
  private static boolean isShortest(@Nullable SdkHttpResponse response) {
    return response == null // not from the network
        || response
            .firstMatchingHeader(CONTENT_LENGTH)
            .map(announced -> number(announced) <= SHORTEST_ANSWER)
            .orElse(false);
  }

  private static boolean isTruncated(AwsServiceException answered) {
    AwsErrorDetails details = answered.awsErrorDetails();
    if (details == null || details.sdkHttpResponse() == null) {
      return false;
    }
    byte[] received =
        details.rawResponse() == null ? NOTHING : details.rawResponse().asByteArrayUnsafe();
    return details
        .sdkHttpResponse()
        .firstMatchingHeader(CONTENT_LENGTH)
        .map(announced -> received.length < number(announced))
        // Sent in chunks: some HTTP clients report those that came, some none.
        .orElse(received.length == 0 || isOpenObject(received));
  }

  /** Whether {@code body} is the beginning of a JSON object, but not all of it. */
  private static boolean isOpenObject(byte[] body) {
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < body.length; i++) {
      byte next = body[i];
      if (quoted && next == '\\') {
        i++; // what is escaped ends nothing
      } else if (next == '"') {
        quoted = !quoted;
      } else if (!quoted && next == '{') {
        depth++;
      } else if (!quoted && next == '}') {
        depth--;
      }
    }
    return body[0] == '{' && depth != 0;
  }

  private static long number(String announced) {
    try {
      return Long.parseLong(announced.trim());
    } catch (NumberFormatException e) {
      return 0; // says nothing
    }
  }
}
