package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.LimitsJson;
import java.util.Map;
import java.util.function.Function;

/** The routes of stored limits at each of the four levels, and of their switches. */
final class LimitRoutes {
  private static final String ENTITY_SWITCH = "/switches/entities/{entity}";
  private static final String RESOURCE_SWITCH = "/switches/resources/{resource}";
  private static final String DISABLED = "disabled";
  private static final String PREVIEW = "preview";

  /** Most limits of one level that are read; a bucket has room for fewer. */
  private static final int MAX_LIMITS = 100;

  private LimitRoutes() {}

  static void addTo(AdminRoutes routes) {
    level(routes, "/limits", call -> LimitTarget.system());
    level(routes, "/resources/{resource}/limits", call -> LimitTarget.resource(call.resource()));
    level(routes, "/entities/{entity}/limits", call -> LimitTarget.entity(call.entity()));
    level(
        routes,
        "/entities/{entity}/resources/{resource}/limits",
        call -> LimitTarget.entityResource(call.entity(), call.resource()));
    routes.list(
        "/resources",
        (call, size, cursor) -> call.limits().ofResources(size, cursor),
        AdminJson::of);
    routes.list(
        "/entities/{entity}/configs",
        (call, size, cursor) -> call.limits().ofEntity(call.entity(), size, cursor),
        AdminJson::of);
    routes.read(ENTITY_SWITCH, LimitRoutes::ofEntity);
    routes.read(RESOURCE_SWITCH, LimitRoutes::ofResource);
    routes.change(HttpMethod.PUT, ENTITY_SWITCH, LimitRoutes::switchEntity);
    routes.change(HttpMethod.PUT, RESOURCE_SWITCH, LimitRoutes::switchResource);
  }

  private static void level(
      AdminRoutes routes, String path, Function<AdminCall, LimitTarget> target) {
    routes.read(path, call -> get(call, target.apply(call)));
    routes.change(HttpMethod.PUT, path, call -> set(call, target.apply(call)), PREVIEW);
    routes.change(HttpMethod.DELETE, path, call -> delete(call, target.apply(call)), PREVIEW);
  }

  private static Object get(AdminCall call, LimitTarget target) {
    return AdminJson.of(
        AdminCall.found(
            call.limits().get(target),
            "no limits are stored at level " + target.level().label(),
            "PUT stores some"));
  }

  private static Object set(AdminCall call, LimitTarget target) {
    JsonFields body = call.body();
    if (body.objects("limits", MAX_LIMITS).isEmpty()) {
      throw BadRequest.field("limits", "must be a list of at least one limit; DELETE removes all");
    }
    LimitSet limits = LimitsJson.limits(body, "limits", MAX_LIMITS);
    boolean otherPeriod = body.flag("allowOtherPeriod", false);
    body.done();
    if (call.flag(PREVIEW)) {
      return LimitPreview.of(call, target, limits);
    }
    ChangeResult result =
        call.limits().set(target, limits, new SetOptions(otherPeriod, ProgressListener.NONE));
    return AdminJson.of(result);
  }

  private static Object delete(AdminCall call, LimitTarget target) {
    return call.flag(PREVIEW)
        ? LimitPreview.of(call, target, null)
        : AdminJson.of(call.limits().delete(target));
  }

  private static Object switchEntity(AdminCall call) {
    return AdminJson.of(call.entities().setDisabled(call.entity(), isOff(call)));
  }

  private static Object switchResource(AdminCall call) {
    return AdminJson.of(call.limits().setDisabled(call.resource(), isOff(call)));
  }

  private static boolean isOff(AdminCall call) {
    if (!call.body().has(DISABLED)) {
      throw BadRequest.field(DISABLED, "is missing");
    }
    boolean disabled = call.body().flag(DISABLED, false);
    call.body().done();
    return disabled;
  }

  private static Object ofEntity(AdminCall call) {
    String id = call.entity();
    Entity entity =
        AdminCall.found(call.entities().get(id), "entity '" + id + "'", "create it first");
    return Map.of(DISABLED, entity.disabled());
  }

  private static Object ofResource(AdminCall call) {
    LimitTarget target = LimitTarget.resource(call.resource());
    return Map.of(DISABLED, call.limits().get(target).map(StoredLimits::disabled).orElse(false));
  }
}
