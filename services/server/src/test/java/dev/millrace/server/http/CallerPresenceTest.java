package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The presence of a caller, on the event loop that otherwise reads the end of the connection. */
class CallerPresenceTest {
  private static final long PATIENCE_SECONDS = 10;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch hungUp = new CountDownLatch(1);
  private final CompletableFuture<Boolean> before = new CompletableFuture<>();
  private final CompletableFuture<Boolean> after = new CompletableFuture<>();

  private HttpResponse look(ServiceRequestContext context) throws InterruptedException {
    CallerPresence caller = new CallerPresence(context);
    before.complete(caller.isGone());
    asked.countDown();
    // The loop is busy with this: only the kernel can tell that the connection is closed.
    boolean unused = hungUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    long endsNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (!caller.isGone() && System.nanoTime() < endsNanos) {
      Thread.onSpinWait(); // the end of the connection is on its way through the kernel
    }
    after.complete(caller.isGone());
    return HttpResponse.of("gone");
  }

  @Test
  void isGone_connectionClosedWhileTheEventLoopIsBusy_isSeenInTheKernel() throws Exception {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server server =
        Server.builder().http(loopback).service("/", (context, request) -> look(context)).build()) {
      server.start().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort())) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(asked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
      hungUp.countDown();

      assertThat(before.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
      assertThat(after.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Epoll.isAvailable());
    }
  }
}
