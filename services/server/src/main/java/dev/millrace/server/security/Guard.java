package dev.millrace.server.security;

import com.linecorp.armeria.server.HttpService;
import java.util.function.Function;

/**
 * Stands before routes: finds out who calls, notes it as {@link Caller}, and answers those itself
 * who may not.
 */
public interface Guard {
  /** A decorator for routes that need {@code scope}; works for gRPC routes too. */
  Function<? super HttpService, ? extends HttpService> requiring(Scope scope);
}
