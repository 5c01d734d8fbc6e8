package dev.millrace.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import io.netty.util.AttributeKey;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request, as far as it was found out.
 *
 * @param name for logs and the audit; never a secret
 * @param scopes what it may do
 * @param namespace the only one that it may touch; null for all
 */
public record Caller(String name, Set<Scope> scopes, @Nullable String namespace) {
  private static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "CALLER");

  /** Keeps the scopes as they are now. */
  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /** Whether it may do what needs {@code scope}. */
  public boolean may(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }

  /** The caller of the request in {@code context}; a {@link Guard} has put it there. */
  public static Caller of(ServiceRequestContext context) {
    return Objects.requireNonNull(context.attr(KEY), "no guard is before this route");
  }

  /** Notes who sent the request of {@code context}. */
  public void attachTo(ServiceRequestContext context) {
    context.setAttr(KEY, this);
  }

  /**
   * Lets the caller into {@code other} or answers 403. What is there is not told to those who may
   * not know.
   */
  public String requireNamespace(String other) {
    if (namespace != null && !namespace.equals(other)) {
      throw new ProblemException(
          HttpProblem.of(403, "other-namespace", "This key is for another namespace"));
    }
    return other;
  }
}
