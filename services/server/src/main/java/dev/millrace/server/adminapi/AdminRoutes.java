package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.admin.Page;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonReader;
import dev.millrace.server.json.JsonResponses;
import dev.millrace.server.security.Scope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A builder of routes of the administration: each behind the guard, with the query parameters that
 * it accepts, on the blocking executor.
 */
final class AdminRoutes {
  private static final String NAMESPACE = "/v1/namespaces/{namespace}";

  private static final Set<String> PAGE = Set.of("pageSize", "cursor");

  private final ServerBuilder server;
  private final ServerParts parts;

  AdminRoutes(ServerBuilder server, ServerParts parts) {
    this.server = server;
    this.parts = parts;
  }

  /** The work of a route; may block. Returns the body of the response, or {@link Created}. */
  interface Handler {
    Object handle(AdminCall call);
  }

  /** A reader of a page of at most {@code size} items. */
  interface PageReader<T> {
    Page<T> read(AdminCall call, int size, @Nullable String cursor);
  }

  /** The body of a response of 201. */
  record Created(Object body) {}

  /** A list in a response; the cursor is null when there are no more items. */
  record Items(List<?> items, @Nullable String cursor) {
    static <T> Items of(Page<T> page, Function<? super T, ?> json) {
      return new Items(page.items().stream().map(json).toList(), page.cursor());
    }
  }

  /** A route that changes nothing. Paths without {@code /v1} are below that of a namespace. */
  void read(String path, Handler handler, String... query) {
    add(HttpMethod.GET, path, Scope.READ, withoutBody(handler), Set.of(query));
  }

  /** A route that reads pages of a list. */
  <T> void list(String path, PageReader<T> page, Function<? super T, ?> json) {
    Handler handler = call -> Items.of(page.read(call, call.pageSize(), call.cursor()), json);
    add(HttpMethod.GET, path, Scope.READ, withoutBody(handler), PAGE);
  }

  void change(HttpMethod method, String path, Handler handler, String... query) {
    boolean delete = method == HttpMethod.DELETE;
    add(method, path, Scope.ADMIN, delete ? withoutBody(handler) : handler, Set.of(query));
  }

  private static Handler withoutBody(Handler handler) {
    return call -> handler.handle(call.withoutBody());
  }

  private void add(
      HttpMethod method, String path, Scope scope, Handler handler, Set<String> query) {
    HttpService service =
        (context, request) ->
            HttpResponse.of(
                request
                    .aggregate()
                    .thenApply(JsonReader::optional)
                    .thenApplyAsync(
                        body ->
                            response(handler.handle(new AdminCall(context, body, parts, query))),
                        context.blockingTaskExecutor()));
    server.service(
        Route.builder()
            .path(path.startsWith("/v1/") ? path : NAMESPACE + path)
            .methods(method)
            .build(),
        service.decorate(parts.guard().requiring(scope)));
  }

  private static HttpResponse response(Object body) {
    return body instanceof Created created
        ? JsonResponses.of(HttpStatus.CREATED, created.body(), Map.of()).toHttpResponse()
        : JsonResponses.ok(body);
  }
}
