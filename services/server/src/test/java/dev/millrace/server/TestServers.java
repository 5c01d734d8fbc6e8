package dev.millrace.server;

import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import java.util.List;

/** Servers that serve acquires and leases, and nothing else. */
public final class TestServers {
  private TestServers() {}

  /** On any port of this machine, with leases as usual. */
  public static MillraceServer start(ServerParts parts) {
    return start(NetworkSettings.loopback(0), parts, LeaseSettings.defaults());
  }

  public static MillraceServer start(
      NetworkSettings network, ServerParts parts, LeaseSettings leases) {
    ServerLife life = new ServerLife();
    return MillraceServer.start(network, parts, life, List.of(new DataPlane(leases, life)));
  }
}
