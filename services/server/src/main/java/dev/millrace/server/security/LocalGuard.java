package dev.millrace.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.problem.ProblemException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets everybody on this machine do everything: for a server that only this machine reaches. A web
 * page that somebody on this machine looks at must not count as somebody on this machine, so the
 * server must have been asked for by a name of this machine (a page can let its own name point
 * here), and what changes something must not come from a page of elsewhere.
 */
public final class LocalGuard extends IdentifyingGuard {
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Caller LOCAL = new Caller("local", Set.of(Scope.ADMIN), null);

  @Override
  Caller identify(ServiceRequestContext context, RequestHeaders headers) {
    check(headers);
    return LOCAL;
  }

  private static void check(RequestHeaders headers) {
    if (!isLocal(headers.authority())) {
      throw refused("Host", headers.authority());
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    boolean reads = headers.method() == HttpMethod.GET || headers.method() == HttpMethod.HEAD;
    if (origin != null && !reads && !isLocal(authorityOf(origin))) {
      throw refused("Origin", origin);
    }
  }

  private static ProblemException refused(String field, @Nullable String value) {
    return new ProblemException(
        HttpProblem.of(403, "not-local", "Without keys the server serves this machine only")
            .with("field", field)
            .with("value", BadRequest.shown(String.valueOf(value))));
  }

  private static @Nullable String authorityOf(String origin) {
    try {
      return new URI(origin).getAuthority();
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean isLocal(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    String host = authority.replaceFirst(":[0-9]{1,5}$", "").toLowerCase(Locale.ROOT);
    return LOCAL_NAMES.contains(host);
  }
}
