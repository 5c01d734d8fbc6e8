package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.LimitSet;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.server.json.JsonFields;
import java.util.function.Function;

/** The stored limits, at each of the four levels. */
final class LimitRoutes {
  private static final String PREVIEW = "preview";

  private LimitRoutes() {}

  static void addTo(Routes routes) {
    level(routes, "/limits", call -> LimitTarget.system());
    level(
        routes,
        "/resources/{resource}/limits",
        call -> LimitTarget.resource(call.path("resource")));
    level(routes, "/entities/{entity}/limits", call -> LimitTarget.entity(call.path("entity")));
    level(
        routes,
        "/entities/{entity}/resources/{resource}/limits",
        call -> LimitTarget.entityResource(call.path("entity"), call.path("resource")));
    routes.read(
        AdminApi.BASE + "/resources",
        call ->
            Lists.of(
                call.namespace().limits().ofResources(call.pageSize(), call.cursor()),
                AdminJson::of),
        "pageSize",
        "cursor");
    routes.read(
        AdminApi.BASE + "/entities/{entity}/configs",
        call ->
            Lists.of(
                call.namespace()
                    .limits()
                    .ofEntity(call.path("entity"), call.pageSize(), call.cursor()),
                AdminJson::of),
        "pageSize",
        "cursor");
  }

  private static void level(Routes routes, String below, Function<Call, LimitTarget> target) {
    String path = AdminApi.BASE + below;
    routes.read(path, call -> get(call, target.apply(call)));
    routes.change(HttpMethod.PUT, path, call -> set(call, target.apply(call)), PREVIEW);
    routes.change(HttpMethod.DELETE, path, call -> delete(call, target.apply(call)), PREVIEW);
  }

  private static Object get(Call call, LimitTarget target) {
    return call.namespace()
        .limits()
        .get(target)
        .map(AdminJson::of)
        .orElseThrow(
            () ->
                Call.missing(
                    "no limits are stored at level " + target.level().label(), "PUT stores some"));
  }

  private static Object set(Call call, LimitTarget target) {
    JsonFields body = call.body();
    LimitSet limits = LevelReading.of(body, "limits");
    boolean otherPeriod = body.flag("allowOtherPeriod", false);
    body.done();
    if (call.flag(PREVIEW)) {
      return Preview.of(call, target, limits);
    }
    ChangeResult result =
        call.namespace()
            .limits()
            .set(target, limits, new SetOptions(otherPeriod, ProgressListener.NONE));
    return AdminJson.of(result);
  }

  private static Object delete(Call call, LimitTarget target) {
    return call.flag(PREVIEW)
        ? Preview.of(call, target, null)
        : AdminJson.of(call.namespace().limits().delete(target));
  }
}
