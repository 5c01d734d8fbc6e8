package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.BucketAdmin;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.CapacityPage;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.problem.BadRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Single buckets, and those of a resource. */
final class BucketRoutes {
  private static final String ONE = AdminApi.BASE + "/buckets/{entity}/{resource}";
  private static final String OPERATION = "operation";

  /** Most limits that one request names; a bucket has room for fewer. */
  private static final int MAX_LIMITS = 100;

  private BucketRoutes() {}

  static void addTo(Routes routes) {
    routes.read(ONE, BucketRoutes::get);
    routes.change(HttpMethod.POST, ONE + "/reset", BucketRoutes::reset);
    routes.change(HttpMethod.POST, ONE + "/top-up", BucketRoutes::topUp);
    routes.change(HttpMethod.PUT, ONE + "/shards", BucketRoutes::resize);
    routes.read(
        AdminApi.BASE + "/resources/{resource}/buckets",
        BucketRoutes::ofResource,
        "pageSize",
        "cursor");
  }

  private static BucketAdmin buckets(Call call) {
    return call.namespace().buckets();
  }

  private static Map<String, Object> get(Call call) {
    String entity = call.path("entity");
    String resource = call.path("resource");
    BucketReport bucket =
        buckets(call)
            .get(entity, resource)
            .orElseThrow(
                () ->
                    Call.missing(
                        "bucket of '" + entity + "' and '" + resource + "'",
                        "it counts as full; the first acquire makes it"));
    Map<String, Object> json = AdminJson.of(bucket);
    json.put("parts", buckets(call).shards(entity, resource).stream().map(AdminJson::of).toList());
    return json;
  }

  private static Object reset(Call call) {
    JsonFields body = call.body();
    Set<String> limits = Set.copyOf(body.texts("limits", MAX_LIMITS));
    String operation = body.text(OPERATION);
    body.done();
    return AdminJson.of(
        buckets(call).reset(call.path("entity"), call.path("resource"), limits, operation));
  }

  private static Object topUp(Call call) {
    JsonFields body = call.body();
    Map<String, Long> amounts = body.numbersOrNull("amounts", MAX_LIMITS);
    String operation = body.text(OPERATION);
    body.done();
    return AdminJson.of(
        buckets(call)
            .topUp(
                call.path("entity"),
                call.path("resource"),
                amounts == null ? Map.of() : amounts,
                operation));
  }

  private static Object resize(Call call) {
    long shards = call.body().whole("shards");
    call.body().done();
    if (shards < 1 || shards > BucketAdmin.MAX_SHARDS) {
      throw BadRequest.field(
          "shards",
          "is %d, must be a power of two from 1 to %d".formatted(shards, BucketAdmin.MAX_SHARDS));
    }
    boolean changed =
        buckets(call).resize(call.path("entity"), call.path("resource"), (int) shards);
    return Map.of("changed", changed);
  }

  private static Map<String, @Nullable Object> ofResource(Call call) {
    CapacityPage page =
        call.namespace().capacity().of(call.path("resource"), call.pageSize(), call.cursor());
    Map<String, Object> totals = new LinkedHashMap<>();
    page.totals()
        .limits()
        .forEach(
            (limit, total) ->
                totals.put(
                    limit,
                    Map.of(
                        "buckets", total.buckets(),
                        "capacityMilli", total.capacityMilli(),
                        "availableMilli", total.availableMilli(),
                        "usedMilli", total.usedMilli())));
    Map<String, @Nullable Object> json =
        Lists.of(page.buckets().stream().map(AdminJson::of).toList(), page.cursor());
    json.put("totals", totals);
    return json;
  }
}
