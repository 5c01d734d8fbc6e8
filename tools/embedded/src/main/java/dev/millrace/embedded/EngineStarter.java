package dev.millrace.embedded;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an engine to be started; immutable. Obtained from {@link EmbeddedDynamo}.
 */
public final class EngineStarter {

  /**
   * Most attempts with a free port, which is found, released and then bound by the child; in
   * between it may be lost.
   */
  static final int MAX_PORT_ATTEMPTS = 5;

  private static final int MAX_PORT = 65_535;

  private final @Nullable Path directory;
  private final @Nullable Integer port;
  private final Consumer<String> progress;

  EngineStarter(@Nullable Path directory, @Nullable Integer port, Consumer<String> progress) {
    this.directory = directory;
    this.port = port;
    this.progress = progress;
  }

  /**
   * Listens on {@code port} instead of a free one: for clients that must find an engine again after
   * a restart.
   *
   * <p>Choose one below the range that the system gives to outgoing connections. While the port is
   * not bound, a client's own connection could otherwise be given that very port.
   */
  public EngineStarter onPort(int port) {
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + " must be from 1 to " + MAX_PORT);
    }
    return new EngineStarter(directory, port, progress);
  }

  /** Reports, in a line each, what takes long: the one fetch of the engine at first use. */
  public EngineStarter onProgress(Consumer<String> listener) {
    return new EngineStarter(directory, port, listener);
  }

  /**
   * Fetches the engine if necessary, starts it, and returns once it answers.
   *
   * @throws EmbeddedEngineException if it cannot be fetched or started, with the remedy
   */
  public EmbeddedDynamo start() {
    Integer fixed = port;
    return fixed == null ? start(EngineStarter::freePort) : start(() -> fixed);
  }

  EmbeddedDynamo start(IntSupplier ports) {
    String classpath = EngineClasspath.resolve(progress);
    if (directory == null) {
      return new EmbeddedDynamo(launch(classpath, List.of("-inMemory"), ports), () -> {});
    }
    DataDirectory locked = DataDirectory.lock(directory);
    try {
      List<String> storage = List.of("-dbPath", directory.toString());
      return new EmbeddedDynamo(launch(classpath, storage, ports), locked::close);
    } catch (RuntimeException e) {
      locked.close();
      throw e;
    }
  }

  private EngineProcess launch(String classpath, List<String> storage, IntSupplier ports) {
    int attempts = port == null ? MAX_PORT_ATTEMPTS : 1;
    for (int attempt = 1; attempt <= attempts; attempt++) {
      int candidate = ports.getAsInt();
      if (isTaken(candidate)) {
        continue; // known at once; the child would need seconds to detect it
      }
      EngineProcess engine = EngineProcess.launch(classpath, storage, candidate);
      if (engine.awaitReady()) {
        return engine;
      }
    }
    throw new EmbeddedEngineException(
        port == null
            ? "Each of %d free ports was taken before DynamoDB Local could bind it; start again"
                .formatted(attempts)
            : "Port %d is taken; stop the process that listens there or choose another"
                .formatted(port));
  }

  private static boolean isTaken(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return !socket.isBound();
    } catch (IOException e) {
      return true;
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not find a free port", e);
    }
  }
}
