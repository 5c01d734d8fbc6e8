package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AuditAdmin;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.Usage;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.server.json.BadRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The routes of usage, of the audit, and of jobs. */
final class HistoryRoutes {
  private static final Duration DEFAULT_RANGE = Duration.ofDays(1);
  private static final int DEFAULT_TOP = 10;

  private HistoryRoutes() {}

  static void addTo(AdminRoutes routes) {
    routes.read(
        "/usage",
        HistoryRoutes::usage,
        "entity",
        "resource",
        "window",
        "from",
        "to",
        "pageSize",
        "cursor");
    routes.read("/usage/top", HistoryRoutes::top, "resource", "limit", "window", "at", "count");
    routes.read(
        "/audit", HistoryRoutes::audit, "entity", "resource", "from", "to", "pageSize", "cursor");
    routes.list(
        "/jobs", (call, size, cursor) -> call.jobs().unfinished(size, cursor), AdminJson::of);
    routes.read(
        "/jobs/{job}",
        call -> {
          String id = call.path("job");
          return AdminJson.of(
              AdminCall.found(
                  call.jobs().get(id), "job '" + id + "'", "GET …/jobs lists those not done"));
        });
    routes.change(
        HttpMethod.POST,
        "/jobs/{job}/resume",
        call ->
            AdminJson.progress(
                call.withoutBody().jobs().resume(call.path("job"), ProgressListener.NONE)));
  }

  private static Window window(AdminCall call) {
    String window = call.query("window");
    return window == null ? Window.HOUR : Window.parse(window);
  }

  /** The window that contains the earliest time counts as a whole. */
  private static Object usage(AdminCall call) {
    Window window = window(call);
    Instant until = call.time("to", call.now());
    Instant since = call.time("from", until.minus(DEFAULT_RANGE));
    return AdminRoutes.Items.of(
        call.usage()
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

  private static Object top(AdminCall call) {
    Instant at = call.time("at", call.now());
    List<Usage> top =
        call.usage()
            .top(
                call.requiredQuery("resource"),
                call.requiredQuery("limit"),
                window(call),
                at,
                call.count("count", DEFAULT_TOP, UsageAdmin.MAX_TOP));
    return AdminRoutes.Items.of(new Page<>(top, null), AdminJson::of);
  }

  private static Object audit(AdminCall call) {
    String entity = call.query("entity");
    String resource = call.query("resource");
    if (entity != null && resource != null) {
      throw BadRequest.because("give 'entity' or 'resource', or none of them for all changes");
    }
    AuditQuery query =
        new AuditQuery(
            call.timeOrNull("from"), call.timeOrNull("to"), call.pageSize(), call.cursor());
    AuditAdmin audit = call.namespace().audit();
    Page<AuditEntry> page =
        entity != null
            ? audit.ofEntity(entity, query)
            : resource != null ? audit.ofResource(resource, query) : audit.all(query);
    return AdminRoutes.Items.of(page, AdminJson::of);
  }
}
