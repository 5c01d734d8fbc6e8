package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Page;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The routes of namespaces, and of the caller itself. */
final class NamespaceRoutes {
  private NamespaceRoutes() {}

  /** The caller as responses show it. */
  private record Me(String name, List<Scope> scopes, @Nullable String namespace) {}

  /**
   * The state of a namespace.
   *
   * @param readMs the duration of one read of the table
   */
  private record Status(
      String namespace,
      Object state,
      Instant time,
      double readMs,
      @Nullable OnUnavailable onUnavailable,
      @Nullable Integer auditRetentionDays,
      int unfinishedJobs) {}

  static void addTo(AdminRoutes routes) {
    routes.read("/v1/me", NamespaceRoutes::me);
    routes.list("/v1/namespaces", NamespaceRoutes::list, AdminJson::of);
    routes.change(HttpMethod.POST, "/v1/namespaces", NamespaceRoutes::create);
    routes.read("", NamespaceRoutes::get);
    routes.change(
        HttpMethod.DELETE,
        "",
        call -> AdminJson.of(call.namespaces().delete(call.namespaceName())));
    routes.change(
        HttpMethod.POST,
        "/recover",
        call -> AdminJson.of(call.namespaces().recover(call.withoutBody().namespaceName())));
    routes.read("/status", NamespaceRoutes::status);
  }

  private static Me me(AdminCall call) {
    Caller caller = call.caller();
    return new Me(caller.name(), caller.scopes().stream().sorted().toList(), caller.namespace());
  }

  /** All namespaces, or the only one that the caller may use. */
  private static Page<NamespaceView> list(AdminCall call, int size, @Nullable String cursor) {
    String own = call.caller().namespace();
    return own == null
        ? call.namespaces().list(size, cursor)
        : new Page<>(call.namespaces().get(own).stream().toList(), null);
  }

  private static Object create(AdminCall call) {
    String name = call.caller().requireNamespace(call.body().text("name"));
    call.body().done();
    return new AdminRoutes.Created(AdminJson.of(call.namespaces().register(name)));
  }

  private static Object get(AdminCall call) {
    String name = call.namespaceName();
    return AdminJson.of(
        AdminCall.found(
            call.namespaces().get(name),
            "namespace '" + name + "' is not registered",
            "POST /v1/namespaces registers one; 'default' works without"));
  }

  private static Status status(AdminCall call) {
    long startedNanos = System.nanoTime();
    var settings = call.limits().settings();
    double readMs = Math.round((System.nanoTime() - startedNanos) / 1e3) / 1e3;
    Object state =
        call.namespaces()
            .get(call.namespaceName())
            .map(view -> Objects.requireNonNull(AdminJson.of(view).get("state")))
            .orElse("unregistered");
    return new Status(
        call.namespaceName(),
        state,
        call.now(),
        readMs,
        settings.onUnavailable(),
        settings.auditRetentionDays(),
        call.jobs().unfinished(Page.MAX_SIZE, null).items().size());
  }
}
