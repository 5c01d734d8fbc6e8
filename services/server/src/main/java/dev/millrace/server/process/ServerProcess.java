package dev.millrace.server.process;

import dev.millrace.server.config.Config;
import dev.millrace.server.config.ConfigKey;
import dev.millrace.server.config.Settled;
import java.net.URI;

/** A server on a table that exists, for as long as its process lives. */
public final class ServerProcess {
  /** Events of the process, for its output. */
  public interface Events {
    /** The server answers at {@code uri}. */
    void ready(URI uri);

    /** The server is about to stop. */
    void stopping();
  }

  private ServerProcess() {}

  /**
   * Runs a server until the process is told to end.
   *
   * @throws IllegalArgumentException if the configuration is wrong
   * @throws dev.millrace.server.ServerException if the server cannot start
   */
  public static void run(Config config, Events events) {
    Settled settled = Settled.of(config);
    try (StopRequest stop = new StopRequest();
        TableClients table =
            TableClients.open(
                config.uriOrNull(ConfigKey.ENDPOINT),
                config.textOrNull(ConfigKey.REGION),
                config.text(ConfigKey.TABLE));
        RunningServer server = RunningServer.start(settled, table, /* local= */ false)) {
      events.ready(server.server().uri());
      stop.await(server.server(), settled.drainWait());
      events.stopping();
    }
  }
}
