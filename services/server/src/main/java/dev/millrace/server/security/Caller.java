package dev.millrace.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.json.ProblemException;
import io.netty.util.AttributeKey;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated sender of a request.
 *
 * @param name for logs and the audit; never a secret
 * @param namespace the only namespace that it may use; null for all
 */
public record Caller(String name, Set<Scope> scopes, @Nullable String namespace) {
  private static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "CALLER");

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /** The caller of the request in {@code context}, which a {@link Guard} has attached. */
  public static Caller of(ServiceRequestContext context) {
    return Objects.requireNonNull(context.attr(KEY), "no guard is before this route");
  }

  /** The namespace in the path of a request, which its caller may use. */
  public static String namespace(ServiceRequestContext context) {
    return of(context).requireNamespace(Objects.requireNonNull(context.pathParam("namespace")));
  }

  void attachTo(ServiceRequestContext context) {
    context.setAttr(KEY, this);
  }

  /** Returns {@code other}, or throws a 403 problem, whether or not that namespace exists. */
  public String requireNamespace(String other) {
    if (namespace != null && !namespace.equals(other)) {
      throw ProblemException.of(403, "other-namespace", "This key is for another namespace");
    }
    return other;
  }
}
