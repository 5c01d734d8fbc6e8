package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.SwitchAdmin;
import dev.millrace.server.problem.BadRequest;
import java.util.Map;

/** What is switched off and on. */
final class SwitchRoutes {
  private static final String ENTITY = AdminApi.BASE + "/switches/entities/{entity}";
  private static final String RESOURCE = AdminApi.BASE + "/switches/resources/{resource}";
  private static final String DISABLED = "disabled";

  private SwitchRoutes() {}

  static void addTo(Routes routes) {
    routes.read(ENTITY, SwitchRoutes::ofEntity);
    routes.read(RESOURCE, SwitchRoutes::ofResource);
    routes.change(HttpMethod.PUT, ENTITY, SwitchRoutes::switchEntity);
    routes.change(HttpMethod.PUT, RESOURCE, SwitchRoutes::switchResource);
  }

  private static Object switchEntity(Call call) {
    SwitchAdmin switches = call.namespace().switches();
    String entity = call.path("entity");
    return AdminJson.of(
        isOff(call) ? switches.disableEntity(entity) : switches.enableEntity(entity));
  }

  private static Object switchResource(Call call) {
    SwitchAdmin switches = call.namespace().switches();
    String name = call.path("resource");
    return AdminJson.of(
        isOff(call) ? switches.disableResource(name) : switches.enableResource(name));
  }

  private static boolean isOff(Call call) {
    if (!call.body().has(DISABLED)) {
      throw BadRequest.field(DISABLED, "is missing");
    }
    boolean disabled = call.body().flag(DISABLED, false);
    call.body().done();
    return disabled;
  }

  private static Map<String, Object> ofEntity(Call call) {
    String id = call.path("entity");
    return call.namespace()
        .entities()
        .get(id)
        .map(entity -> Map.<String, Object>of(DISABLED, entity.disabled()))
        .orElseThrow(() -> Call.missing("entity '" + id + "'", "create it first"));
  }

  private static Map<String, Object> ofResource(Call call) {
    boolean disabled =
        call.namespace()
            .limits()
            .get(LimitTarget.resource(call.path("resource")))
            .map(StoredLimits::disabled)
            .orElse(false);
    return Map.of(DISABLED, disabled);
  }
}
