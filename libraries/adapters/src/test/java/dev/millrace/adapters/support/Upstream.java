package dev.millrace.adapters.support;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that tells in a header field what a call cost, or hangs up. */
public final class Upstream implements AutoCloseable {
  public final AtomicInteger calls = new AtomicInteger();
  private final HttpServer server;

  public Upstream() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/cost",
        exchange -> {
          calls.incrementAndGet();
          exchange.getResponseHeaders().add("X-Tokens", "7");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.createContext("/hang-up", exchange -> exchange.close());
    server.start();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
