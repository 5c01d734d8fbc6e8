package dev.millrace.server.adminapi;

import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.RegionSite;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.observability.LiveSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The administration over HTTP. Reading needs {@link dev.millrace.server.security.Scope#READ},
 * changing {@link dev.millrace.server.security.Scope#ADMIN}; audit events name the caller.
 */
public final class AdminApi implements Feature {
  private final Supplier<LiveSnapshot> live;
  private final Function<String, @Nullable Map<String, @Nullable Object>> exchanges;

  /**
   * The administration.
   *
   * @param live the recent activity of the server
   * @param exchanges the state of the exchange between regions by namespace, with the fields of
   *     {@link dev.millrace.regions.CycleReport}; null when it is not known
   */
  public AdminApi(
      Supplier<LiveSnapshot> live,
      Function<String, @Nullable Map<String, @Nullable Object>> exchanges) {
    this.live = live;
    this.exchanges = exchanges;
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    AdminRoutes routes = new AdminRoutes(server, parts);
    NamespaceRoutes.addTo(routes);
    EntityRoutes.addTo(routes);
    LimitRoutes.addTo(routes);
    BucketRoutes.addTo(routes);
    HistoryRoutes.addTo(routes);
    routes.read("/regions", this::regions, "entity", "resource");
    routes.read("/v1/live", this::live);
  }

  /** The rates are of the whole server, the buckets of the caller's namespace alone. */
  private LiveSnapshot live(AdminCall call) {
    String own = call.caller().namespace();
    return own == null ? live.get() : live.get().in(own);
  }

  /** The regions of a namespace that shares limits, and the shares of one bucket. */
  private Map<String, @Nullable Object> regions(AdminCall call) {
    String entity = call.query("entity");
    String resource = call.query("resource");
    if ((entity == null) != (resource == null)) {
      throw BadRequest.because("'entity' and 'resource' go together: the shares of one bucket");
    }
    RegionOperations regions = new RegionOperations(call.namespace(), AllocationPolicy.DEFAULT);
    Optional<RegionSite> site = regions.site();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("shared", site.isPresent());
    if (site.isPresent()) {
      json.putAll(site.get().fields());
      if (entity != null && resource != null) {
        json.put("sharesPpm", regions.sharesPpm(entity, resource));
      }
      json.put("exchange", exchanges.apply(call.namespaceName()));
    }
    return json;
  }
}
