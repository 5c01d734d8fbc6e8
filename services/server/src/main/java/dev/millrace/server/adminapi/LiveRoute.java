package dev.millrace.server.adminapi;

import dev.millrace.server.live.LiveSnapshot;
import dev.millrace.server.live.LiveSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server does at this moment. The rates are of the whole server; who is at the top is told
 * only of the namespace that the caller may touch.
 */
final class LiveRoute {
  private LiveRoute() {}

  static void addTo(Routes routes, LiveSource source) {
    routes.read("/v1/live", call -> forNamespace(source.snapshot(), call.caller().namespace()));
  }

  private static LiveSnapshot forNamespace(LiveSnapshot all, @Nullable String namespace) {
    return namespace == null
        ? all
        : new LiveSnapshot(
            all.atMs(),
            all.seconds(),
            all.p50Ms(),
            all.p99Ms(),
            of(namespace, all.consumers()),
            of(namespace, all.refused()));
  }

  private static List<LiveSnapshot.Top> of(String namespace, List<LiveSnapshot.Top> tops) {
    return tops.stream().filter(top -> top.namespace().equals(namespace)).toList();
  }
}
