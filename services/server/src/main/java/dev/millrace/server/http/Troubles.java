package dev.millrace.server.http;

import com.linecorp.armeria.common.CancellationException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.problem.ProblemException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is thrown, as a problem. Only messages that were written for callers reach them; what is not
 * known here is logged under an id, and the answer has the id.
 */
final class Troubles {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");
  private static final int MAX_DETAIL = 500;

  private Troubles() {}

  /**
   * A problem, and what its answer says in header fields.
   *
   * @param fields by name
   */
  record Trouble(HttpProblem problem, Map<String, String> fields) {
    static Trouble of(HttpProblem problem) {
      return new Trouble(problem, Map.of());
    }

    static Trouble soon(HttpProblem problem) {
      return new Trouble(problem, Map.of(LimitHeaders.RETRY_AFTER, HttpRefusal.RETRY_SOON));
    }
  }

  static Trouble of(Throwable thrown) {
    Throwable cause = HttpRefusal.unwrapped(thrown);
    if (cause instanceof ProblemException known) {
      return new Trouble(known.problem(), fields(known.problem()));
    }
    Optional<HttpRefusal> refusal = HttpRefusal.of(cause);
    if (refusal.isPresent()) {
      return new Trouble(refusal.get().problem(), refusal.get().fields());
    }
    if (cause instanceof ChangeRefusedException refused) {
      return Trouble.of(refused(refused));
    }
    if (cause instanceof LimiterConfigurationException wrong) {
      return configuration(wrong);
    }
    if (cause instanceof IllegalArgumentException misuse) {
      return Trouble.of(
          HttpProblem.of(400, BadRequest.TYPE, BadRequest.TITLE).detail(text(misuse.getMessage())));
    }
    return ofServer(cause);
  }

  private static Trouble configuration(LimiterConfigurationException wrong) {
    Map<String, Object> about = wrong.attributes();
    if (isUnknownNamespace(wrong)) {
      return Trouble.of(
          HttpProblem.of(404, "unknown-namespace", "There is no such namespace")
              .with("namespace", text(about.get("namespace"))));
    }
    if (about.containsKey("entity") && about.containsKey("resource")) {
      return Trouble.of(
          HttpProblem.of(404, "no-limits", "No limits apply")
              .with("entity", text(about.get("entity")))
              .with("resource", text(about.get("resource")))
              .detail("store limits at one of the four levels, or send 'limits' with the request"));
    }
    return ofServer(wrong);
  }

  private static Map<String, String> fields(HttpProblem problem) {
    if (problem.status() == HttpStatus.UNAUTHORIZED.code()) {
      return Map.of("www-authenticate", "Bearer realm=\"millrace\"");
    }
    Object seconds = problem.members().get("retryAfterSeconds");
    return seconds == null ? Map.of() : Map.of(LimitHeaders.RETRY_AFTER, seconds.toString());
  }

  private static Trouble ofServer(Throwable cause) {
    if (cause instanceof ContentTooLargeException) {
      return Trouble.of(ofStatus(HttpStatus.REQUEST_ENTITY_TOO_LARGE));
    }
    if (cause instanceof RequestTimeoutException) {
      return Trouble.soon(HttpProblem.of(503, "timeout", "The request took too long"));
    }
    if (cause instanceof HttpStatusException status) {
      return Trouble.of(ofStatus(status.httpStatus()));
    }
    if (isGone(cause)) {
      return Trouble.of(
          HttpProblem.of(408, "caller-gone", "The caller went away")); // nobody hears it
    }
    String id = UUID.randomUUID().toString();
    LOG.log(System.Logger.Level.ERROR, "request failed, error id " + id, cause);
    return Trouble.of(
        HttpProblem.of(500, "internal", "The server made a mistake").with("errorId", id));
  }

  private static boolean isGone(Throwable cause) {
    return Exceptions.isExpected(cause)
        || cause instanceof AbortedStreamException
        || cause instanceof ClosedStreamException
        || cause instanceof java.util.concurrent.CancellationException
        || cause instanceof CancellationException;
  }

  /** The problem that is no more than a status. */
  static HttpProblem ofStatus(HttpStatus status) {
    String title = status.reasonPhrase();
    String type = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return HttpProblem.of(status.code(), type, title);
  }

  private static HttpProblem refused(ChangeRefusedException refused) {
    boolean unknown = refused.reason().name().startsWith("UNKNOWN_");
    return HttpProblem.of(unknown ? 404 : 409, "change-refused", "The change was refused")
        .with("reason", refused.reason().name())
        .detail(text(refused.getMessage()));
  }

  static boolean isUnknownNamespace(LimiterConfigurationException wrong) {
    return wrong.attributes().containsKey("namespace");
  }

  private static String text(@Nullable Object message) {
    String text = String.valueOf(message);
    return text.length() > MAX_DETAIL ? text.substring(0, MAX_DETAIL) + "…" : text;
  }
}
