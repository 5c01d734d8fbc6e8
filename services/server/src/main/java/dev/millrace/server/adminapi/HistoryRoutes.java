package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.AuditAdmin;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.server.problem.BadRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was used, who changed what, and what is still being done. */
final class HistoryRoutes {
  private static final Duration DEFAULT_RANGE = Duration.ofDays(1);
  private static final int DEFAULT_TOP = 10;

  private HistoryRoutes() {}

  static void addTo(Routes routes) {
    routes.read(
        AdminApi.BASE + "/usage",
        HistoryRoutes::usage,
        "entity",
        "resource",
        "window",
        "from",
        "to",
        "pageSize",
        "cursor");
    routes.read(
        AdminApi.BASE + "/usage/top",
        HistoryRoutes::top,
        "resource",
        "limit",
        "window",
        "at",
        "count");
    routes.read(
        AdminApi.BASE + "/audit",
        HistoryRoutes::audit,
        "entity",
        "resource",
        "from",
        "to",
        "pageSize",
        "cursor");
    routes.read(
        AdminApi.BASE + "/jobs",
        call ->
            Lists.of(
                call.namespace().jobs().unfinished(call.pageSize(), call.cursor()), AdminJson::of),
        "pageSize",
        "cursor");
    routes.read(AdminApi.BASE + "/jobs/{job}", HistoryRoutes::job);
    routes.change(
        HttpMethod.POST,
        AdminApi.BASE + "/jobs/{job}/resume",
        call ->
            AdminJson.of(
                call.withoutBody()
                    .namespace()
                    .jobs()
                    .resume(call.path("job"), ProgressListener.NONE)));
  }

  private static UsageAdmin usageOf(Call call) {
    return call.namespace().usage(call.parts().usage());
  }

  private static Window window(Call call) {
    String window = call.query("window");
    return window == null ? Window.HOUR : Window.parse(window);
  }

  /** The piece that the earliest time is in counts as a whole. */
  private static Map<String, @Nullable Object> usage(Call call) {
    Window window = window(call);
    Instant to = call.time("to");
    Instant until = to == null ? call.now() : to;
    Instant from = call.time("from");
    Instant since = from == null ? until.minus(DEFAULT_RANGE) : from;
    return Lists.of(
        usageOf(call)
            .range(
                call.requiredQuery("entity"),
                call.requiredQuery("resource"),
                window,
                Instant.ofEpochMilli(window.startOf(since.toEpochMilli())),
                until,
                call.pageSize(),
                call.cursor()),
        AdminJson::of);
  }

  private static Map<String, @Nullable Object> top(Call call) {
    Instant at = call.time("at");
    return Lists.of(
        usageOf(call)
            .top(
                call.requiredQuery("resource"),
                call.requiredQuery("limit"),
                window(call),
                at == null ? call.now() : at,
                call.count("count", DEFAULT_TOP, UsageAdmin.MAX_TOP))
            .stream()
            .map(AdminJson::of)
            .toList(),
        null);
  }

  private static Map<String, @Nullable Object> audit(Call call) {
    String entity = call.query("entity");
    String resource = call.query("resource");
    if (entity != null && resource != null) {
      throw BadRequest.because("give 'entity' or 'resource', or none of them for all changes");
    }
    AuditQuery query =
        new AuditQuery(call.time("from"), call.time("to"), call.pageSize(), call.cursor());
    AuditAdmin audit = call.namespace().audit();
    Page<AuditEntry> page;
    if (entity != null) {
      page = audit.ofEntity(entity, query);
    } else if (resource != null) {
      page = audit.ofResource(resource, query);
    } else {
      page = audit.all(query);
    }
    return Lists.of(page, AdminJson::of);
  }

  private static Object job(Call call) {
    String id = call.path("job");
    return call.namespace()
        .jobs()
        .get(id)
        .map(AdminJson::of)
        .orElseThrow(() -> Call.missing("job '" + id + "'", "GET …/jobs lists those not done"));
  }
}
