package dev.millrace.embedded;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What is to be started; immutable. Obtained from {@link EmbeddedDynamo}. */
public final class EngineStarter {

  /** A free port is found, released and then bound by the child; in between it may be lost. */
  static final int MAX_PORT_ATTEMPTS = 5;

  private final @Nullable Path directory;
  private final Consumer<String> progress;

  EngineStarter(@Nullable Path directory, Consumer<String> progress) {
    this.directory = directory;
    this.progress = progress;
  }

  /** Tells, in a line each, of what takes long: the one fetch of the engine on first use. */
  public EngineStarter onProgress(Consumer<String> listener) {
    return new EngineStarter(directory, listener);
  }

  /**
   * Fetches the engine if need be, starts it, and returns once it answers.
   *
   * @throws EmbeddedEngineException if it cannot be fetched or started, saying what to do
   */
  public EmbeddedDynamo start() {
    return start(EngineStarter::freePort);
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

  private static EngineProcess launch(String classpath, List<String> storage, IntSupplier ports) {
    for (int attempt = 1; attempt <= MAX_PORT_ATTEMPTS; attempt++) {
      EngineProcess engine = EngineProcess.launch(classpath, storage, ports.getAsInt());
      if (engine.awaitReady()) {
        return engine;
      }
    }
    throw new EmbeddedEngineException(
        "Each of %d free ports was taken before DynamoDB Local could bind it; start again"
            .formatted(MAX_PORT_ATTEMPTS));
  }

  /** Free on all interfaces, since the engine binds them all. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not find a free port", e);
    }
  }
}
