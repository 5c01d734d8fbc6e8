package dev.millrace.server.http;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.epoll.EpollSocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The connection of the caller of a request. A closed connection is looked up in the kernel where
 * that is possible, because the event loop reads the end of a connection only after it has written
 * the responses that are ready.
 */
final class CallerPresence {
  /** TCP_ESTABLISHED of Linux: neither side has closed or reset the connection. */
  private static final int ESTABLISHED = 1;

  private final ServiceRequestContext context;
  private final @Nullable Channel channel;

  CallerPresence(ServiceRequestContext context) {
    this.context = context;
    this.channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
  }

  /** Runs {@code action} once the caller has disconnected, perhaps never, perhaps twice. */
  void whenGone(Runnable action) {
    var unusedCancelled = context.whenRequestCancelling().thenRun(action);
    if (channel != null) {
      // Armeria reports the end of the connection to a request only after its response.
      ChannelFutureListener listener = closed -> action.run();
      ChannelFuture unusedClosed = channel.closeFuture().addListener(listener);
      var unusedRemoved =
          context
              .log()
              .whenComplete()
              .thenRun(() -> channel.closeFuture().removeListener(listener));
    }
  }

  /** Whether a response would reach no caller. */
  boolean isGone() {
    return context.isCancelled() || (channel != null && isClosed(channel));
  }

  private static boolean isClosed(Channel channel) {
    if (!channel.isActive()) {
      return true;
    }
    try {
      return channel instanceof EpollSocketChannel socket
          && socket.tcpInfo().state() != ESTABLISHED;
    } catch (ChannelException e) {
      return true; // the descriptor is closed
    }
  }

  /**
   * Runs {@code sent} when the whole response has been handed to the network, else {@code lost}.
   */
  void afterResponse(Runnable sent, Runnable lost) {
    var unused =
        context
            .log()
            .whenComplete()
            .thenAccept(log -> (log.responseCause() == null ? sent : lost).run());
  }
}
