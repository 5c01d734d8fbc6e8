package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.BucketAdmin;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.CapacityTotals;
import dev.millrace.admin.Page;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of single buckets, and of the buckets of a resource. */
final class BucketRoutes {
  private static final String ONE = "/buckets/{entity}/{resource}";
  private static final String OPERATION = "operation";

  /** Most limits that one request names; a bucket has room for fewer. */
  private static final int MAX_LIMITS = 100;

  private BucketRoutes() {}

  static void addTo(AdminRoutes routes) {
    routes.read(ONE, BucketRoutes::get);
    routes.change(HttpMethod.POST, ONE + "/reset", BucketRoutes::reset);
    routes.change(HttpMethod.POST, ONE + "/top-up", BucketRoutes::topUp);
    routes.change(HttpMethod.PUT, ONE + "/shards", BucketRoutes::resize);
    routes.read("/resources/{resource}/buckets", BucketRoutes::ofResource, "pageSize", "cursor");
  }

  private static Map<String, Object> get(AdminCall call) {
    String entity = call.entity();
    String resource = call.resource();
    BucketReport bucket =
        AdminCall.found(
            call.buckets().get(entity, resource),
            "bucket of '" + entity + "' and '" + resource + "'",
            "it counts as full; the first acquire makes it");
    Map<String, Object> json = AdminJson.of(bucket);
    json.put("parts", call.buckets().shards(entity, resource).stream().map(AdminJson::of).toList());
    return json;
  }

  private static Object reset(AdminCall call) {
    JsonFields body = call.body();
    Set<String> limits = Set.copyOf(body.texts("limits", MAX_LIMITS));
    String operation = body.text(OPERATION);
    body.done();
    return AdminJson.of(call.buckets().reset(call.entity(), call.resource(), limits, operation));
  }

  private static Object topUp(AdminCall call) {
    JsonFields body = call.body();
    Map<String, Long> amounts = body.numbersOrNull("amounts", MAX_LIMITS);
    String operation = body.text(OPERATION);
    body.done();
    return AdminJson.of(
        call.buckets()
            .topUp(
                call.entity(), call.resource(), amounts == null ? Map.of() : amounts, operation));
  }

  private static Object resize(AdminCall call) {
    long shards = call.body().whole("shards");
    call.body().done();
    if (shards < 1 || shards > BucketAdmin.MAX_SHARDS) {
      throw BadRequest.field(
          "shards",
          "is %d, must be a power of two from 1 to %d".formatted(shards, BucketAdmin.MAX_SHARDS));
    }
    return Map.of("changed", call.buckets().resize(call.entity(), call.resource(), (int) shards));
  }

  /** A page of buckets with the sums of their limits. */
  private record Capacity(
      List<?> items, @Nullable String cursor, Map<String, CapacityTotals.Total> totals) {}

  private static Capacity ofResource(AdminCall call) {
    Page<BucketReport> page =
        call.namespace().buckets().ofResource(call.resource(), call.pageSize(), call.cursor());
    return new Capacity(
        page.items().stream().map(AdminJson::of).toList(),
        page.cursor(),
        CapacityTotals.of(page.items()).limits());
  }
}
