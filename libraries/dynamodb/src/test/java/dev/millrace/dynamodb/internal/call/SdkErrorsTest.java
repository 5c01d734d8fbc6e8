package dev.millrace.dynamodb.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.ReplicatedWriteConflictException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

class SdkErrorsTest {
  static Stream<Arguments> unavailable() {
    return Stream.of(
        sure(caused(new ConnectException()), StoreFailure.Kind.UNREACHABLE),
        sure(caused(new UnknownHostException()), StoreFailure.Kind.UNREACHABLE),
        sure(caused(new NoRouteToHostException()), StoreFailure.Kind.UNREACHABLE),
        sure(caused(new UnresolvedAddressException()), StoreFailure.Kind.UNREACHABLE),
        sure(caused(new SSLHandshakeException("")), StoreFailure.Kind.UNREACHABLE),
        sure(caused(new IOException(new ConnectException())), StoreFailure.Kind.UNREACHABLE),
        sure(answer(400, "ThrottlingException"), StoreFailure.Kind.THROTTLED),
        sure(answer(429, "Whatever"), StoreFailure.Kind.THROTTLED),
        sure(throttledFor("TableWriteKeyRangeThroughputExceeded"), StoreFailure.Kind.HOT_KEY),
        sure(throttledFor("IndexReadKeyRangeThroughputExceeded"), StoreFailure.Kind.HOT_KEY),
        sure(throttledFor("TableWriteMaxOnDemandThroughputExceeded"), StoreFailure.Kind.THROTTLED),
        sure(throttledFor("SomethingNew"), StoreFailure.Kind.THROTTLED),
        sure(ReplicatedWriteConflictException.builder().build(), StoreFailure.Kind.THROTTLED),
        sure(TransactionConflictException.builder().build(), StoreFailure.Kind.CONFLICT),
        sure(cancelled("None", "TransactionConflict"), StoreFailure.Kind.CONFLICT),
        sure(cancelled("ThrottlingError"), StoreFailure.Kind.THROTTLED),
        sure(cancelled("ProvisionedThroughputExceeded"), StoreFailure.Kind.THROTTLED),
        sure(cancelled("TransactionConflict", "ThrottlingError"), StoreFailure.Kind.THROTTLED),
        unsure(inProgress(), StoreFailure.Kind.TIMED_OUT),
        unsure(caused(new SocketTimeoutException()), StoreFailure.Kind.TIMED_OUT),
        unsure(caused(new InterruptedIOException()), StoreFailure.Kind.TIMED_OUT),
        unsure(caused(new IOException(new SocketTimeoutException())), StoreFailure.Kind.TIMED_OUT),
        unsure(ApiCallTimeoutException.create(1), StoreFailure.Kind.TIMED_OUT),
        unsure(ApiCallAttemptTimeoutException.create(1), StoreFailure.Kind.TIMED_OUT),
        unsure(answer(408, "RequestTimeout"), StoreFailure.Kind.TIMED_OUT),
        unsure(caused(new SocketException("Connection reset")), StoreFailure.Kind.BROKEN),
        unsure(caused(new SSLException("")), StoreFailure.Kind.BROKEN),
        unsure(caused(new IOException()), StoreFailure.Kind.BROKEN),
        unsure(answer(500, "InternalServerError"), StoreFailure.Kind.BROKEN),
        unsure(answer(503, "ServiceUnavailable"), StoreFailure.Kind.BROKEN),
        unsure(RetryableException.create(""), StoreFailure.Kind.BROKEN),
        unsure(Crc32MismatchException.create("", null), StoreFailure.Kind.BROKEN),
        unsure(AbortedException.create(""), StoreFailure.Kind.INTERRUPTED),
        unsure(caused(new InterruptedException()), StoreFailure.Kind.INTERRUPTED),
        unsure(caused(new ClosedByInterruptException()), StoreFailure.Kind.INTERRUPTED));
  }

  @ParameterizedTest
  @MethodSource("unavailable")
  void ofWrite_unavailable_saysWhatBecameOfIt(
      SdkException failure, StoreFailure.Kind kind, boolean sure) {
    StoreReply reply = SdkErrors.ofWrite(failure, "limits", "UpdateItem");
    StoreFailure expected = new StoreFailure(kind, failure);
    assertThat(reply)
        .isEqualTo(
            sure
                ? new StoreReply.NotApplied(expected, reply.receipt())
                : new StoreReply.Unknown(expected, reply.receipt()));
    assertThat(SdkErrors.isSurelyWithoutEffect(failure)).isEqualTo(sure);
  }

  @ParameterizedTest
  @MethodSource("unavailable")
  void ofRead_unavailable_hadNoEffect(SdkException failure, StoreFailure.Kind kind, boolean sure) {
    StoreReply reply = SdkErrors.ofRead(failure, "limits", "GetItem");
    assertThat(reply)
        .isEqualTo(new StoreReply.NotApplied(new StoreFailure(kind, failure), reply.receipt()));
  }

  @ParameterizedTest
  @CsvSource({
    "400, ResourceNotFoundException, the table does not exist",
    "400, AccessDeniedException, the credentials may not use the table",
    "400, UnrecognizedClientException, DynamoDB does not accept the credentials",
    "400, MissingAuthenticationToken, DynamoDB does not accept the credentials",
    "400, ExpiredTokenException, DynamoDB does not accept the credentials",
    "400, ValidationException, DynamoDB does not accept the request"
  })
  void ofWrite_mistakeInSetUp_isThrownWithAdvice(int status, String code, String summary) {
    SdkException failure = answer(status, code);
    assertThatThrownBy(() -> SdkErrors.ofWrite(failure, "limits", "PutItem"))
        .hasCause(failure)
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class,
            e -> {
              assertThat(e.summary()).isEqualTo(summary);
              assertThat(e.attributes())
                  .containsEntry("table", "limits")
                  .containsEntry("operation", "PutItem")
                  .containsEntry("errorCode", code)
                  .containsKey("todo");
            });
    assertThat(SdkErrors.isSurelyWithoutEffect(failure)).isFalse();
  }

  /** The exception is the real one of a chain that finds none. */
  @Test
  void ofWrite_noCredentials_isUnavailableAndSurelyNotMade() {
    AwsCredentialsProviderChain chain =
        AwsCredentialsProviderChain.builder()
            .credentialsProviders(SystemPropertyCredentialsProvider.create())
            .build();
    SdkException failure = catchThrowableOfType(SdkException.class, chain::resolveCredentials);

    StoreReply reply = SdkErrors.ofWrite(failure, "limits", "PutItem");

    assertThat(reply)
        .isEqualTo(
            new StoreReply.NotApplied(
                new StoreFailure(StoreFailure.Kind.NO_CREDENTIALS, failure), reply.receipt()));
    assertThat(SdkErrors.isSurelyWithoutEffect(failure)).as("is tried again").isFalse();
  }

  /** A bug must not become "unavailable": a policy might turn that into free admission. */
  @Test
  void ofWrite_unknown_isThrownAsItIs() {
    for (SdkException failure :
        new SdkException[] {
          SdkClientException.create("a bug"),
          SdkClientException.create("a bug", new IllegalStateException()),
          answer(400, "NeverHeardOf"),
          cancelled("ValidationError"),
          cancelled("None", "ItemCollectionSizeLimitExceeded"),
          cancelled(),
          cancelled("ConditionalCheckFailed", "TransactionConflict")
        }) {
      assertThatThrownBy(() -> SdkErrors.ofWrite(failure, "limits", "PutItem")).isSameAs(failure);
      assertThatThrownBy(() -> SdkErrors.ofRead(failure, "limits", "GetItem")).isSameAs(failure);
    }
  }

  @Test
  void ofWrite_causesInACircle_ends() {
    IOException inner = new IOException();
    IOException outer = new IOException(inner);
    inner.initCause(outer);
    assertThat(SdkErrors.ofWrite(caused(outer), "limits", "PutItem"))
        .isInstanceOf(StoreReply.Unknown.class);
  }

  private static Arguments sure(SdkException failure, StoreFailure.Kind kind) {
    return Arguments.of(failure, kind, true);
  }

  private static Arguments unsure(SdkException failure, StoreFailure.Kind kind) {
    return Arguments.of(failure, kind, false);
  }

  private static SdkException caused(Throwable cause) {
    return SdkClientException.create("Unable to execute HTTP request", cause);
  }

  private static SdkException cancelled(String... codes) {
    return (SdkException)
        TransactionCanceledException.builder()
            .cancellationReasons(
                Stream.of(codes).map(c -> CancellationReason.builder().code(c).build()).toList())
            .statusCode(400)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode("TransactionCanceledException").build())
            .build();
  }

  /** The SDK takes it for throttling, by its code. */
  private static SdkException inProgress() {
    return (SdkException)
        TransactionInProgressException.builder()
            .statusCode(400)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode("TransactionInProgressException").build())
            .build();
  }

  private static SdkException answer(int status, String code) {
    return (SdkException)
        DynamoDbException.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build();
  }

  private static ProvisionedThroughputExceededException throttledFor(String reason) {
    ThrottlingReason told =
        ThrottlingReason.builder()
            .reason(reason)
            .resource("arn:aws:dynamodb:::table/limits")
            .build();
    return ProvisionedThroughputExceededException.builder()
        .throttlingReasons(List.of(told))
        .statusCode(400)
        .awsErrorDetails(
            AwsErrorDetails.builder().errorCode("ProvisionedThroughputExceededException").build())
        .build();
  }
}
