package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonBody;
import dev.millrace.server.json.JsonWriting;
import dev.millrace.server.security.Scope;
import java.util.Map;
import java.util.Set;

/**
 * Adds routes: each behind the guard, with the query parameters that it knows, on the blocking
 * executor.
 */
final class Routes {
  private final ServerBuilder server;
  private final ServerParts parts;

  Routes(ServerBuilder server, ServerParts parts) {
    this.server = server;
    this.parts = parts;
  }

  /** A route that changes nothing. */
  void read(String path, Answer answer, String... query) {
    add(HttpMethod.GET, path, Scope.READ, withoutBody(answer), query);
  }

  /** A route that changes something. */
  void change(HttpMethod method, String path, Answer answer, String... query) {
    add(
        method,
        path,
        Scope.ADMIN,
        method == HttpMethod.DELETE ? withoutBody(answer) : answer,
        query);
  }

  private static Answer withoutBody(Answer answer) {
    return call -> answer.to(call.withoutBody());
  }

  private void add(HttpMethod method, String path, Scope scope, Answer answer, String... query) {
    Set<String> known = Set.of(query);
    HttpService service = (context, request) -> serve(context, request, answer, known);
    server.service(
        Route.builder().path(path).methods(method).build(),
        service.decorate(parts.guard().requiring(scope)));
  }

  private HttpResponse serve(
      ServiceRequestContext context, HttpRequest request, Answer answer, Set<String> known) {
    return HttpResponse.of(
        JsonBody.optional(request)
            .thenApplyAsync(
                body -> answer(new Call(context, body, parts, known), answer),
                context.blockingTaskExecutor()));
  }

  private static HttpResponse answer(Call call, Answer answer) {
    Object body = answer.to(call);
    return body instanceof Answer.Created made
        ? JsonWriting.answer(HttpStatus.CREATED, made.body(), Map.of())
        : JsonWriting.ok(body);
  }
}
