package dev.millrace.server.security;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.json.ProblemException;

/**
 * Authenticates the caller of a request, checks that it has the scope of the route, and attaches it
 * to the request as {@link Caller}. Requests that fail are answered here.
 */
public abstract class Guard {
  /** The sender of a request; throws a {@link ProblemException} when it may not call. */
  protected abstract Caller identify(ServiceRequestContext context, RequestHeaders headers);

  /** A decorator of routes that need {@code scope}; works for gRPC routes too. */
  public final DecoratingHttpServiceFunction requiring(Scope scope) {
    return (next, context, request) -> {
      Caller caller = identify(context, request.headers());
      if (!caller.scopes().contains(scope) && !caller.scopes().contains(Scope.ADMIN)) {
        throw ProblemException.of(403, "missing-scope", "This key may not do that")
            .with("scope", scope.name());
      }
      caller.attachTo(context);
      return next.serve(context, request);
    };
  }
}
