package dev.millrace.dynamodb.internal.call;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.ReplicatedWriteConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Turns the SDK's exceptions into replies. Each says what became of the write: surely nothing, or
 * unknown. An exception that is not known to mean "not available now" is thrown: it is a mistake or
 * a bug, and no policy may turn it into free admission.
 */
public final class SdkErrors {
  private static final int SERVER_ERROR = 500;
  private static final int REQUEST_TIMEOUT = 408;

  private SdkErrors() {}

  /** The reply to a read that failed; it had no effect, whatever happened. */
  public static StoreReply ofRead(SdkException failure, String table, String operation) {
    StoreFailure storeFailure =
        new StoreFailure(outcomeOrThrow(failure, table, operation).kind(), failure);
    return new StoreReply.NotApplied(storeFailure, Receipts.ofFailure(failure));
  }

  /** The reply to a write that failed otherwise than by its condition. */
  static StoreReply ofWrite(SdkException failure, String table, String operation) {
    FailureClass outcome = outcomeOrThrow(failure, table, operation);
    StoreFailure storeFailure = new StoreFailure(outcome.kind(), failure);
    Receipt receipt = Receipts.ofFailure(failure);
    return outcome.isSurelyWithoutEffect()
        ? new StoreReply.NotApplied(storeFailure, receipt)
        : new StoreReply.Unknown(storeFailure, receipt);
  }

  /** Whether a call that failed so had no effect, so that it may be sent again. */
  static boolean isSurelyWithoutEffect(Throwable failure) {
    // A request whose signature is too old was not looked at; the SDK corrects its clock.
    if (failure instanceof SdkServiceException answered && answered.isClockSkewException()) {
      return true;
    }
    FailureClass outcome = failure instanceof SdkException sdk ? classify(sdk) : null;
    return outcome != null
        && outcome.isSurelyWithoutEffect()
        && outcome
            != FailureClass.NO_CREDENTIALS; // the chain has tried all that it has, for seconds
  }

  /** Whether a read that failed so may be sent again: also when its answer was lost. */
  static boolean isWorthReadingAgain(Throwable failure) {
    return isSurelyWithoutEffect(failure)
        || (failure instanceof SdkException sdk && classify(sdk) == FailureClass.BROKEN);
  }

  private static FailureClass outcomeOrThrow(SdkException failure, String table, String operation) {
    FailureClass outcome = classify(failure);
    if (outcome != null) {
      return outcome;
    }
    if (failure instanceof AwsServiceException answered) {
      LimiterConfigurationException setup = SetupErrors.classify(answered, table, operation);
      if (setup != null) {
        throw setup;
      }
    }
    throw failure;
  }

  private static @Nullable FailureClass classify(SdkException failure) {
    if (failure instanceof SdkServiceException answered) {
      return ofAnswer(answered);
    }
    if (failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException) {
      return FailureClass.TIMED_OUT;
    }
    if (failure instanceof AbortedException) {
      return FailureClass.INTERRUPTED;
    }
    if (CredentialErrors.isOne(failure)) {
      return FailureClass.NO_CREDENTIALS; // whatever it was that kept them away: nothing was sent
    }
    FailureClass transport = TransportErrors.classify(failure);
    if (transport != null) {
      return transport;
    }
    // An answer that arrived garbled is an answer: the write may well have been made.
    return failure instanceof RetryableException || failure instanceof Crc32MismatchException
        ? FailureClass.BROKEN
        : null;
  }

  private static @Nullable FailureClass ofAnswer(SdkServiceException answered) {
    if (answered instanceof TransactionCanceledException cancelled) {
      return Cancellations.outcome(cancelled);
    }
    // Somebody else's transaction on the same item was under way; this write was turned away.
    if (answered instanceof TransactionConflictException) {
      return FailureClass.CONFLICT;
    }
    // The same transaction was sent before and is still under way, so its answer is yet to come.
    // To be looked at before throttling, which the SDK takes it for.
    if (answered instanceof TransactionInProgressException) {
      return FailureClass.TIMED_OUT;
    }
    if (answered.isThrottlingException()
        // Another write of the same item was under way; this one was turned away.
        || answered instanceof ReplicatedWriteConflictException) {
      return ThrottlingReasons.nameTheKey(answered) ? FailureClass.HOT_KEY : FailureClass.THROTTLED;
    }
    if (answered.statusCode() == REQUEST_TIMEOUT) {
      return FailureClass.TIMED_OUT;
    }
    return answered.statusCode() >= SERVER_ERROR ? FailureClass.BROKEN : null;
  }
}
