package dev.millrace.server.adminapi;

import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.live.LiveSource;

/**
 * The administration over HTTP. Reading needs {@link dev.millrace.server.security.Scope#READ},
 * changing {@link dev.millrace.server.security.Scope#ADMIN}; audit events name the caller.
 */
public final class AdminApi implements Feature {
  /** What the routes of a namespace begin with. */
  static final String BASE = "/v1/namespaces/{namespace}";

  private final LiveSource live;
  private final RegionLook regions;

  /** With what the server does at this moment, and what regions publish. */
  public AdminApi(LiveSource live, RegionLook regions) {
    this.live = live;
    this.regions = regions;
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    Routes routes = new Routes(server, parts);
    NamespaceRoutes.addTo(routes);
    EntityRoutes.addTo(routes);
    LimitRoutes.addTo(routes);
    SwitchRoutes.addTo(routes);
    BucketRoutes.addTo(routes);
    HistoryRoutes.addTo(routes);
    RegionRoutes.addTo(routes, regions);
    LiveRoute.addTo(routes, live);
  }
}
