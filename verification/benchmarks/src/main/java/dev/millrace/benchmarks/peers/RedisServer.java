package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Redis server of our own on this machine, without persistence. It ends with this. */
final class RedisServer implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int START_SECONDS = 20;
  private static final int STOP_SECONDS = 5;

  private final Process process;
  private final int port;
  private final Thread hook;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
    this.hook = new Thread(process::destroy, "bench-redis-stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts one on a free port and waits until it listens. */
  static RedisServer start(Consumer<String> messages) throws InterruptedException {
    Path command = RedisCommand.find(messages);
    try {
      int port = freePort();
      Path directory = Files.createTempDirectory("bench-redis");
      directory.toFile().deleteOnExit();
      Process process =
          new ProcessBuilder(
                  List.of(
                      command.toString(),
                      "--bind",
                      HOST,
                      "--port",
                      Integer.toString(port),
                      "--save",
                      "",
                      "--appendonly",
                      "no",
                      "--dir",
                      directory.toString()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      RedisServer server = new RedisServer(process, port);
      server.awaitListening();
      return server;
    } catch (IOException e) {
      throw new BenchException("could not start " + command + ": " + e.getMessage(), e);
    }
  }

  int port() {
    return port;
  }

  private void awaitListening() throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < deadlineNanos && process.isAlive()) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        return;
      } catch (IOException e) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
    close();
    throw new BenchException("redis-server did not listen on port " + port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down: the hook runs, and finds the process ended.
    }
  }
}
