package dev.millrace.dynamodb.internal.call;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.ReplicatedWriteConflictException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Turns the SDK's exceptions into replies. Each says what became of the write: surely nothing, or
 * unknown. An exception that is not known to mean "not available now" is thrown: it is a mistake or
 * a bug, and no policy may turn it into free admission.
 *
 * <p>Failures of the transport are classified by the types of their causes only: these are the same
 * for every HTTP client, and messages may be reworded. Where a type is ambiguous, the outcome is
 * unknown, which is safe and costs one read. So a connection that was not made in time is unknown
 * with the JDK's client and with Apache's: both throw what they also throw when the answer is late.
 */
public final class SdkErrors {
  static final String CONDITION_FAILED = "ConditionalCheckFailed";
  private static final String CONFLICT = "TransactionConflict";
  private static final Set<String> THROTTLED =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded");

  /** The end of a throttling reason that means the partition of the key, in table or index. */
  private static final String KEY_RANGE = "KeyRangeThroughputExceeded";

  /** The kinds of failure after which a write may have been made. */
  private static final Set<StoreFailure.Kind> MAYBE_MADE =
      EnumSet.of(
          StoreFailure.Kind.TIMED_OUT, StoreFailure.Kind.BROKEN, StoreFailure.Kind.INTERRUPTED);

  private static final int SERVER_ERROR = 500;
  private static final int REQUEST_TIMEOUT = 408;
  private static final String CREDENTIALS = "software.amazon.awssdk.auth.credentials.";

  /** Most causes, and frames of each, that are examined: chains are short, and loops must end. */
  private static final int MAX_CAUSES = 16;

  private static final int MAX_FRAMES = 8;

  private SdkErrors() {}

  /** The reply to a read that failed; it had no effect, whatever happened. */
  public static StoreReply ofRead(SdkException failure, String table, String operation) {
    return new StoreReply.NotApplied(
        new StoreFailure(kindOrThrow(failure, table, operation), failure),
        Receipts.ofFailure(failure));
  }

  /** The reply to a write that failed otherwise than by its condition. */
  static StoreReply ofWrite(SdkException failure, String table, String operation) {
    StoreFailure.Kind kind = kindOrThrow(failure, table, operation);
    StoreFailure storeFailure = new StoreFailure(kind, failure);
    Receipt receipt = Receipts.ofFailure(failure);
    return MAYBE_MADE.contains(kind)
        ? new StoreReply.Unknown(storeFailure, receipt)
        : new StoreReply.NotApplied(storeFailure, receipt);
  }

  /** Whether a call that failed so had no effect, so that it may be sent again. */
  static boolean isSurelyWithoutEffect(Throwable failure) {
    // A request whose signature is too old was not looked at; the SDK corrects its clock.
    if (failure instanceof SdkServiceException answered && answered.isClockSkewException()) {
      return true;
    }
    StoreFailure.Kind kind = failure instanceof SdkException sdk ? classify(sdk) : null;
    return kind != null
        && !MAYBE_MADE.contains(kind)
        && kind != StoreFailure.Kind.NO_CREDENTIALS; // the chain has tried all it has, for seconds
  }

  /** Whether a read that failed so may be sent again: also when its answer was lost. */
  static boolean isWorthReadingAgain(Throwable failure) {
    return isSurelyWithoutEffect(failure)
        || (failure instanceof SdkException sdk && classify(sdk) == StoreFailure.Kind.BROKEN);
  }

  /** Whether a condition did not hold: then the same transaction will not pass later either. */
  static boolean isRefusal(Throwable failure) {
    return failure instanceof TransactionCanceledException cancelled
        && hasReason(cancelled, Set.of(CONDITION_FAILED));
  }

  private static boolean hasReason(TransactionCanceledException cancelled, Set<String> codes) {
    for (CancellationReason reason : cancelled.cancellationReasons()) {
      if (reason.code() != null && codes.contains(reason.code())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The reason why a transaction was turned away although every condition held, or may have; null
   * when that was not the reason. Throttling weighs more: it needs the longer pause.
   */
  static StoreFailure.@Nullable Kind cancellation(TransactionCanceledException cancelled) {
    if (isRefusal(cancelled)) {
      return null;
    }
    if (hasReason(cancelled, THROTTLED)) {
      return StoreFailure.Kind.THROTTLED;
    }
    return hasReason(cancelled, Set.of(CONFLICT)) ? StoreFailure.Kind.CONFLICT : null;
  }

  private static StoreFailure.Kind kindOrThrow(
      SdkException failure, String table, String operation) {
    StoreFailure.Kind kind = classify(failure);
    if (kind != null) {
      return kind;
    }
    LimiterConfigurationException setup =
        failure instanceof AwsServiceException answered
            ? SetupErrors.classify(answered, table, operation)
            : null;
    throw setup == null ? failure : setup;
  }

  private static StoreFailure.@Nullable Kind classify(SdkException failure) {
    if (failure instanceof SdkServiceException answered) {
      return ofAnswer(answered);
    }
    if (failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException) {
      return StoreFailure.Kind.TIMED_OUT;
    }
    if (failure instanceof AbortedException) {
      return StoreFailure.Kind.INTERRUPTED;
    }
    if (isWithoutCredentials(failure)) {
      return StoreFailure.Kind.NO_CREDENTIALS; // for whatever reason: nothing was sent
    }
    StoreFailure.Kind transport = ofTransport(failure);
    if (transport != null) {
      return transport;
    }
    // An answer that arrived garbled is an answer: the write may well have been made.
    return failure instanceof RetryableException || failure instanceof Crc32MismatchException
        ? StoreFailure.Kind.BROKEN
        : null;
  }

  private static StoreFailure.@Nullable Kind ofAnswer(SdkServiceException answered) {
    if (answered instanceof TransactionCanceledException cancelled) {
      return cancellation(cancelled);
    }
    // Another transaction on the same item was under way; this write was turned away.
    if (answered instanceof TransactionConflictException) {
      return StoreFailure.Kind.CONFLICT;
    }
    // The same transaction was sent before and is still under way, so its answer is yet to come.
    // Checked before throttling, which the SDK takes it for.
    if (answered instanceof TransactionInProgressException) {
      return StoreFailure.Kind.TIMED_OUT;
    }
    if (answered.isThrottlingException()
        // Another write of the same item was under way; this one was turned away.
        || answered instanceof ReplicatedWriteConflictException) {
      return isHotKey(answered) ? StoreFailure.Kind.HOT_KEY : StoreFailure.Kind.THROTTLED;
    }
    if (answered.statusCode() == REQUEST_TIMEOUT) {
      return StoreFailure.Kind.TIMED_OUT;
    }
    return answered.statusCode() >= SERVER_ERROR ? StoreFailure.Kind.BROKEN : null;
  }

  /** Whether DynamoDB throttled the range of the key, and not the table or the account. */
  private static boolean isHotKey(SdkServiceException answered) {
    List<ThrottlingReason> reasons = List.of();
    if (answered instanceof ProvisionedThroughputExceededException exceeded) {
      reasons = exceeded.throttlingReasons();
    } else if (answered instanceof ThrottlingException throttled) {
      reasons = throttled.throttlingReasons();
    } else if (answered instanceof RequestLimitExceededException limited) {
      reasons = limited.throttlingReasons();
    }
    return reasons.stream().anyMatch(r -> r.reason() != null && r.reason().endsWith(KEY_RANGE));
  }

  /**
   * Whether the SDK failed because it could not get credentials: no provider in the chain has any,
   * or their source was unreachable. It has no type of its own, so the place where it was thrown
   * decides.
   */
  private static boolean isWithoutCredentials(SdkException failure) {
    Throwable cause = failure;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof SdkClientException
          && Arrays.stream(cause.getStackTrace())
              .limit(MAX_FRAMES)
              .anyMatch(frame -> frame.getClassName().startsWith(CREDENTIALS))) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** The outcome that the causes of {@code failure} show, null when it is not of the transport. */
  private static StoreFailure.@Nullable Kind ofTransport(Throwable failure) {
    StoreFailure.Kind kind = null;
    Throwable cause = failure.getCause();
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      // The deepest that is specific: HTTP clients wrap a specific exception in a general one.
      StoreFailure.Kind found = ofCause(cause);
      if (found != null && (kind == null || found != StoreFailure.Kind.BROKEN)) {
        kind = found;
      }
      cause = cause.getCause();
    }
    return kind;
  }

  private static StoreFailure.@Nullable Kind ofCause(Throwable cause) {
    if (cause instanceof ConnectException
        || cause instanceof UnknownHostException
        || cause instanceof NoRouteToHostException
        || cause instanceof UnresolvedAddressException
        || cause instanceof SSLHandshakeException
        // The SDK's Netty client reports so that its pool had no connection in time, or that too
        // many requests wait for one, and nothing else.
        || cause.getClass() == Throwable.class) {
      return StoreFailure.Kind.UNREACHABLE;
    }
    if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
      return StoreFailure.Kind.INTERRUPTED;
    }
    if (cause instanceof InterruptedIOException) { // SocketTimeoutException is one
      return StoreFailure.Kind.TIMED_OUT;
    }
    return cause instanceof IOException ? StoreFailure.Kind.BROKEN : null;
  }
}
