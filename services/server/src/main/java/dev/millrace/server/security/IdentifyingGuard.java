package dev.millrace.server.security;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import java.util.function.Function;

/** A guard that finds out who calls, and asks of every caller the scope that a route needs. */
abstract class IdentifyingGuard implements Guard {
  /** Who sent the request; a {@link ProblemException} when nobody who may. */
  abstract Caller identify(ServiceRequestContext context, RequestHeaders headers);

  @Override
  public final Function<? super HttpService, ? extends HttpService> requiring(Scope scope) {
    return next ->
        new SimpleDecoratingHttpService(next) {
          @Override
          public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
              throws Exception {
            Caller caller = identify(context, request.headers());
            if (!caller.may(scope)) {
              throw new ProblemException(
                  HttpProblem.of(403, "missing-scope", "This key may not do that")
                      .with("scope", scope.name()));
            }
            caller.attachTo(context);
            return unwrap().serve(context, request);
          }
        };
  }
}
