package dev.millrace.proving.soak;

import dev.millrace.embedded.EmbeddedDynamo;
import dev.millrace.embedded.EmbeddedEngineException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local with its state on disk, killed and started again on the same port. */
final class Database implements AutoCloseable {
  /**
   * Below the range that systems give to outgoing connections: a client that looks for a database
   * that is down must not be given its port.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 10_000;
  private static final int MOST_PORT_ATTEMPTS = 50;

  private final Path directory;
  private final int port;
  private final DynamoDbClient client;
  private final AcknowledgedWrites acknowledged;
  private EmbeddedDynamo engine;
  private CompletableFuture<EmbeddedDynamo> starting;
  private CompletableFuture<?> thawed = CompletableFuture.completedFuture("never frozen");

  private Database(Path directory, int port, EmbeddedDynamo engine) {
    this.directory = directory;
    this.port = port;
    this.engine = engine;
    this.starting = CompletableFuture.completedFuture(engine);
    this.client = SoakClients.blocking(engine.endpoint());
    this.acknowledged = AcknowledgedWrites.create(client);
  }

  static Database start(Path parent, Consumer<String> progress) throws IOException {
    Path directory = Files.createDirectories(parent.resolve("database"));
    int port = freePort();
    return new Database(
        directory,
        port,
        EmbeddedDynamo.onDisk(directory).onPort(port).onProgress(progress).start());
  }

  private static int freePort() {
    SplittableRandom random = new SplittableRandom();
    for (int i = 0; i < MOST_PORT_ATTEMPTS; i++) {
      int port = FIRST_PORT + random.nextInt(PORTS);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Somebody has it: another one.
      }
    }
    throw new SoakException("no free port was found in " + MOST_PORT_ATTEMPTS + " attempts");
  }

  URI endpoint() {
    return engine.endpoint();
  }

  DynamoDbClient client() {
    return client;
  }

  /** Whether it answers, as far as is known. */
  boolean isUp() {
    return starting.isDone();
  }

  /** Kills it, and starts it again after {@code downMs}, meanwhile the caller goes on. */
  void kill(long downMs) {
    acknowledged.write();
    engine.kill();
    starting =
        CompletableFuture.supplyAsync(
            () -> EmbeddedDynamo.onDisk(directory).onPort(port).start(),
            CompletableFuture.delayedExecutor(downMs, TimeUnit.MILLISECONDS));
  }

  /** Stops its process, and lets it go on after {@code frozenMs}; the caller goes on meanwhile. */
  void freeze(long frozenMs) {
    thawed.join(); // one at a time
    long pid = engine.pid();
    signal("STOP", pid);
    thawed =
        CompletableFuture.runAsync(
            () -> signal("CONT", pid),
            CompletableFuture.delayedExecutor(frozenMs, TimeUnit.MILLISECONDS));
  }

  private static void signal(String name, long pid) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(); // it fails when the process is dead already: nothing to freeze
    } catch (IOException e) {
      throw new SoakException("the command 'kill' cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it is back, and looks whether it has kept what it acknowledged. */
  void awaitUp() {
    thawed.join();
    try {
      EmbeddedDynamo started = starting.join();
      if (started != engine) {
        engine = started;
        acknowledged.look();
      }
    } catch (CompletionException e) {
      if (e.getCause() instanceof EmbeddedEngineException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** How many writes it had acknowledged and lost. */
  long lostWrites() {
    return acknowledged.lost();
  }

  @Override
  public void close() {
    client.close();
    try {
      thawed.join();
      awaitStartedOrFailed();
    } finally {
      engine.close();
    }
  }

  private void awaitStartedOrFailed() {
    try {
      engine = starting.join();
    } catch (CompletionException e) {
      // It could not be started, so there is nothing to stop.
    }
  }
}
