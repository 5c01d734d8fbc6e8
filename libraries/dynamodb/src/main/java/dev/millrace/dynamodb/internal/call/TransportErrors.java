package dev.millrace.dynamodb.internal.call;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Tells from the causes of a failure whether the request was sent. By types only: the same for
 * every HTTP client, and a message that is reworded changes nothing.
 *
 * <p>Where a type is ambiguous, the answer is "unknown", which is safe and costs one read. So a
 * connection that was not made in time is unknown with the JDK's client and with Apache's: both
 * throw what they also throw when the answer is late.
 */
final class TransportErrors {
  /** Most causes that are looked at: chains are short, and one that loops must end. */
  private static final int MAX_CAUSES = 16;

  private TransportErrors() {}

  /** What the causes of {@code failure} say, or null when they say nothing about transport. */
  static @Nullable FailureClass classify(Throwable failure) {
    FailureClass outcome = null;
    Throwable cause = failure.getCause();
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      // The deepest that says anything: HTTP clients wrap what they know in what they do not.
      FailureClass found = ofOne(cause);
      if (found != null && (outcome == null || found != FailureClass.BROKEN)) {
        outcome = found;
      }
      cause = cause.getCause();
    }
    return outcome;
  }

  private static @Nullable FailureClass ofOne(Throwable cause) {
    if (cause instanceof ConnectException
        || cause instanceof UnknownHostException
        || cause instanceof NoRouteToHostException
        || cause instanceof UnresolvedAddressException
        || cause instanceof SSLHandshakeException
        || isNoConnectionFromPool(cause)) {
      return FailureClass.UNREACHABLE;
    }
    if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
      return FailureClass.INTERRUPTED;
    }
    if (cause instanceof InterruptedIOException) { // SocketTimeoutException is one
      return FailureClass.TIMED_OUT;
    }
    return cause instanceof IOException ? FailureClass.BROKEN : null;
  }

  /**
   * The SDK's Netty client reports as a bare {@link Throwable} that its pool had no connection in
   * time or that too many wait for one, and nothing else.
   */
  private static boolean isNoConnectionFromPool(Throwable cause) {
    return cause.getClass() == Throwable.class;
  }
}
