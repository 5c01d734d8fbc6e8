package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Page;
import dev.millrace.server.adminapi.Answer.Created;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The namespaces, and who asks. */
final class NamespaceRoutes {
  private static final String ONE = AdminApi.BASE;

  private NamespaceRoutes() {}

  static void addTo(Routes routes) {
    routes.read("/v1/me", NamespaceRoutes::me);
    routes.read("/v1/namespaces", NamespaceRoutes::list, "pageSize", "cursor");
    routes.change(HttpMethod.POST, "/v1/namespaces", NamespaceRoutes::create);
    routes.read(ONE, NamespaceRoutes::get);
    routes.change(
        HttpMethod.DELETE,
        ONE,
        call -> AdminJson.of(call.admin().namespaces().delete(call.namespaceName())));
    routes.change(
        HttpMethod.POST,
        ONE + "/recover",
        call ->
            AdminJson.of(call.admin().namespaces().recover(call.withoutBody().namespaceName())));
    routes.read(ONE + "/status", NamespaceRoutes::status);
  }

  private static Map<String, @Nullable Object> me(Call call) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("name", call.caller().name());
    json.put("scopes", call.caller().scopes().stream().sorted().map(Enum::name).toList());
    json.put("namespace", call.caller().namespace());
    return json;
  }

  /** Who may touch one namespace only is told of no other. */
  private static Map<String, @Nullable Object> list(Call call) {
    String own = call.caller().namespace();
    if (own == null) {
      return Lists.of(
          call.admin().namespaces().list(call.pageSize(), call.cursor()), AdminJson::of);
    }
    Optional<NamespaceView> view = call.admin().namespaces().get(own);
    return Lists.of(new Page<>(view.stream().toList(), null), AdminJson::of);
  }

  private static Object create(Call call) {
    String name = call.caller().requireNamespace(call.body().text("name"));
    call.body().done();
    return new Created(AdminJson.of(call.admin().namespaces().register(name)));
  }

  private static Object get(Call call) {
    String name = call.namespaceName();
    return call.admin()
        .namespaces()
        .get(name)
        .map(AdminJson::of)
        .orElseThrow(
            () ->
                Call.missing(
                    "namespace '" + name + "' is not registered",
                    "POST /v1/namespaces registers one; 'default' works without"));
  }

  /** How a namespace is, and how fast the table answers. */
  private static Map<String, @Nullable Object> status(Call call) {
    long startedNanos = System.nanoTime();
    var settings = call.namespace().limits().settings();
    double readMs = Math.round((System.nanoTime() - startedNanos) / 1e3) / 1e3;
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("namespace", call.namespaceName());
    json.put(
        "state",
        call.admin()
            .namespaces()
            .get(call.namespaceName())
            .map(view -> AdminJson.of(view).get("state"))
            .orElse("unregistered"));
    json.put("time", call.now().toString());
    json.put("readMs", readMs);
    json.put(
        "onUnavailable", settings.onUnavailable() == null ? null : settings.onUnavailable().name());
    json.put("auditRetentionDays", settings.auditRetentionDays());
    List<?> jobs = call.namespace().jobs().unfinished(Page.MAX_SIZE, null).items();
    json.put("unfinishedJobs", jobs.size());
    return json;
  }
}
