package dev.millrace.server.process;

import dev.millrace.server.config.Config;
import dev.millrace.server.config.ConfigKey;
import dev.millrace.server.config.ServerSettings;
import java.net.URI;
import java.util.function.Consumer;

/** A server on an existing table, as a process. */
public final class ServerProcess {
  private ServerProcess() {}

  /**
   * Runs a server until the process is asked to end.
   *
   * @param ready called with the address of the server once it serves requests
   * @param stopping called when the server is about to stop
   * @throws IllegalArgumentException if the configuration is wrong
   * @throws dev.millrace.server.ServerException if the server cannot start
   */
  public static void run(Config config, Consumer<URI> ready, Runnable stopping) {
    ServerSettings settings = ServerSettings.of(config);
    try (StopRequest stop = new StopRequest();
        TableClients table =
            TableClients.open(
                config.uriOrNull(ConfigKey.ENDPOINT),
                config.textOrNull(ConfigKey.REGION),
                config.text(ConfigKey.TABLE));
        RunningServer server = new RunningServer(settings, table, /* local= */ false)) {
      ready.accept(server.server().uri());
      stop.await(server.server(), settings.drainWait());
      stopping.run();
    }
  }
}
