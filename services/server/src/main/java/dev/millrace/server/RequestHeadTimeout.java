package dev.millrace.server;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that take too long to send the head of a request. A client that sends a byte
 * now and then is never idle, and has no request yet that could time out; a thousand of them would
 * use up all connections.
 *
 * <p>The first head is timed from the moment of connecting, each further one of HTTP/1 from its
 * first byte. Of HTTP/2 only the first is timed: there the frames of many requests are mixed.
 *
 * <p>All methods run on the event loop of the connection.
 */
final class RequestHeadTimeout extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<RequestHeadTimeout> KEY =
      AttributeKey.valueOf(RequestHeadTimeout.class, "TIMEOUT");

  private final long timeoutMs;
  private final Counter closed;
  private State state = State.AWAITING;
  private @Nullable Future<?> timer;

  private enum State {
    /** A head is awaited, and the timer runs. */
    AWAITING,
    /** A request is in progress. */
    SERVING,
    /** Between two requests. */
    IDLE,
    /** Not watched any more. */
    TRUSTED
  }

  private RequestHeadTimeout(Duration timeout, Counter closed) {
    this.timeoutMs = timeout.toMillis();
    this.closed = closed;
  }

  static void add(ServerBuilder builder, Duration timeout, MeterRegistry meters) {
    Counter closed = meters.counter("millrace.server.slow.heads");
    builder.childChannelPipelineCustomizer(
        pipeline -> {
          RequestHeadTimeout watch = new RequestHeadTimeout(timeout, closed);
          pipeline.channel().attr(KEY).set(watch);
          pipeline.addFirst("millrace-slow-heads", watch);
        });
  }

  /** Records that the head of the request of {@code context} is complete. */
  static void arrived(ServiceRequestContext context) {
    Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    RequestHeadTimeout watch = channel == null ? null : channel.attr(KEY).get();
    if (channel == null || watch == null) {
      return;
    }
    boolean multiplexed = context.sessionProtocol().isMultiplex();
    channel.eventLoop().execute(() -> watch.enter(multiplexed ? State.TRUSTED : State.SERVING));
    if (!multiplexed) {
      CompletableFuture<Void> unused =
          context
              .log()
              .whenComplete()
              .thenRun(() -> channel.eventLoop().execute(() -> watch.enter(State.IDLE)));
    }
  }

  private void enter(State next) {
    state = next;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    await(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (state == State.IDLE) {
      await(context);
    }
    context.fireChannelRead(message);
  }

  private void await(ChannelHandlerContext context) {
    enter(State.AWAITING);
    timer =
        context
            .executor()
            .schedule(
                () -> {
                  closed.increment();
                  ChannelFuture unused = context.close();
                },
                timeoutMs,
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    enter(State.TRUSTED);
    context.fireChannelInactive();
  }
}
