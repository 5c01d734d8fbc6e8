package dev.millrace.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.ProblemException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A guard that grants every scope to every caller on this machine, for a server that only this
 * machine can reach. It keeps out web pages in a browser on this machine: the {@code Host} of a
 * request must be a name of this machine, because a page can resolve its own name to this address,
 * and the {@code Origin} of a request that changes something must be local.
 */
public final class LocalGuard extends Guard {
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Caller LOCAL = new Caller("local", Set.of(Scope.ADMIN), null);

  @Override
  protected Caller identify(ServiceRequestContext context, RequestHeaders headers) {
    if (!isLocal(headers.authority())) {
      throw refused("Host", headers.authority());
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    boolean reads = headers.method() == HttpMethod.GET || headers.method() == HttpMethod.HEAD;
    if (origin != null && !reads && !isLocal(authorityOf(origin))) {
      throw refused("Origin", origin);
    }
    return LOCAL;
  }

  private static ProblemException refused(String field, @Nullable String value) {
    return ProblemException.of(403, "not-local", "Without keys the server serves this machine only")
        .with("field", field)
        .with("value", BadRequest.shown(String.valueOf(value)));
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
