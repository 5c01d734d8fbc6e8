package dev.millrace.embedded;

import java.net.URI;
import java.nio.file.Path;

/**
 * A running DynamoDB Local, in a process of its own.
 *
 * <pre>{@code
 * try (EmbeddedDynamo dynamo = EmbeddedDynamo.inMemory().start()) {
 *   client = DynamoDbClient.builder().endpointOverride(dynamo.endpoint())…
 * }
 * }</pre>
 *
 * <p>It ends with {@link #close}, with this JVM, or with this JVM's sudden death, whichever comes
 * first. It accepts any credentials and region, from this machine alone: it listens on the loopback
 * address.
 */
public final class EmbeddedDynamo implements AutoCloseable {
  private final EngineProcess engine;
  private final Runnable afterStop;
  private final Thread shutdownHook;

  EmbeddedDynamo(EngineProcess engine, Runnable afterStop) {
    this.engine = engine;
    this.afterStop = afterStop;
    this.shutdownHook = new Thread(engine::stop, "millrace-engine-stop");
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /** An engine without durable state. */
  public static EngineStarter inMemory() {
    return new EngineStarter(null, null, line -> {});
  }

  /**
   * An engine that keeps its state in {@code directory}, one engine at a time.
   *
   * @throws IllegalArgumentException if it is not a directory that exists and can be written
   */
  public static EngineStarter onDisk(Path directory) {
    return new EngineStarter(DataDirectory.check(directory), null, line -> {});
  }

  /** Its endpoint: {@code http://127.0.0.1:port}. */
  public URI endpoint() {
    return engine.endpoint();
  }

  /** Stops the process and waits for its end; a second call does nothing. */
  @Override
  public void close() {
    engine.stop();
    release();
  }

  /** The process id of the engine, for tests that suspend it. */
  public long pid() {
    return engine.pid();
  }

  /**
   * Kills the process, as a crash would, without an orderly end. For tests of crashes of the
   * database; {@link #close} after it does nothing more.
   */
  public void kill() {
    engine.kill();
    release();
  }

  private void release() {
    afterStop.run();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs, and finds the process ended.
    }
  }
}
