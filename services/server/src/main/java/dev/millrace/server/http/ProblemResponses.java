package dev.millrace.server.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.server.Limiters;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonResponses;
import dev.millrace.server.json.ProblemException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of everything that is thrown to a problem response. Only messages that were
 * written for callers reach them; an unexpected exception is logged under an id, and the response
 * has the id alone.
 */
public final class ProblemResponses implements ServerErrorHandler {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");
  private static final int MAX_DETAIL = 500;

  /** Header fields of a response to a request that may be repeated soon. */
  private static final Map<String, String> SOON =
      Map.of(LimitHeaders.RETRY_AFTER, HttpRefusal.RETRY_SOON);

  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable thrown) {
    return thrown instanceof HttpResponseException complete
        ? complete.httpResponse()
        : of(HttpRefusal.unwrapped(thrown)).toHttpResponse();
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return ofStatus(status);
  }

  private static AggregatedHttpResponse of(Throwable cause) {
    if (cause instanceof ProblemException known) {
      return JsonResponses.problem(known.problem(), fields(known.problem()));
    }
    Optional<HttpRefusal> refusal = HttpRefusal.of(cause);
    if (refusal.isPresent()) {
      return JsonResponses.problem(refusal.get().problem(), refusal.get().fields());
    }
    if (cause instanceof ChangeRefusedException refused) {
      boolean unknown = refused.reason().name().startsWith("UNKNOWN_");
      return plain(
          HttpProblem.of(unknown ? 404 : 409, "change-refused", "The change was refused")
              .with("reason", refused.reason().name())
              .detail(text(refused.getMessage())));
    }
    if (cause instanceof LimiterConfigurationException wrong) {
      Map<String, Object> about = wrong.attributes();
      if (Limiters.isUnknownNamespace(wrong)) {
        return plain(
            HttpProblem.of(404, "unknown-namespace", "There is no such namespace")
                .with("namespace", text(about.get("namespace"))));
      }
      if (about.containsKey("entity") && about.containsKey("resource")) {
        return plain(
            HttpProblem.of(404, "no-limits", "No limits apply")
                .with("entity", text(about.get("entity")))
                .with("resource", text(about.get("resource")))
                .detail(
                    "store limits at one of the four levels, or send 'limits' with the request"));
      }
    }
    if (cause instanceof IllegalArgumentException misuse) {
      return plain(
          HttpProblem.of(400, BadRequest.TYPE, BadRequest.TITLE).detail(text(misuse.getMessage())));
    }
    return ofServer(cause);
  }

  private static Map<String, String> fields(HttpProblem problem) {
    if (problem.status() == HttpStatus.UNAUTHORIZED.code()) {
      return Map.of("www-authenticate", "Bearer realm=\"millrace\"");
    }
    Object seconds = problem.members().get("retryAfterSeconds");
    return seconds == null ? Map.of() : Map.of(LimitHeaders.RETRY_AFTER, seconds.toString());
  }

  private static AggregatedHttpResponse ofServer(Throwable cause) {
    if (cause instanceof ContentTooLargeException) {
      return ofStatus(HttpStatus.REQUEST_ENTITY_TOO_LARGE);
    }
    if (cause instanceof RequestTimeoutException) {
      return JsonResponses.problem(
          HttpProblem.of(503, "timeout", "The request took too long"), SOON);
    }
    if (cause instanceof HttpStatusException status) {
      return ofStatus(status.httpStatus());
    }
    if (isDisconnect(cause)) { // no caller receives this
      return plain(HttpProblem.of(408, "caller-gone", "The caller went away"));
    }
    String id = UUID.randomUUID().toString();
    LOG.log(System.Logger.Level.ERROR, "request failed, error id " + id, cause);
    return plain(HttpProblem.of(500, "internal", "The server made a mistake").with("errorId", id));
  }

  private static boolean isDisconnect(Throwable cause) {
    return Exceptions.isExpected(cause)
        || cause instanceof AbortedStreamException
        || cause instanceof ClosedStreamException
        || cause instanceof CancellationException
        || cause instanceof com.linecorp.armeria.common.CancellationException;
  }

  private static AggregatedHttpResponse ofStatus(HttpStatus status) {
    String title = status.reasonPhrase();
    String type = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return plain(HttpProblem.of(status.code(), type, title));
  }

  private static AggregatedHttpResponse plain(HttpProblem problem) {
    return JsonResponses.problem(problem, Map.of());
  }

  private static String text(@Nullable Object message) {
    String text = String.valueOf(message);
    return text.length() > MAX_DETAIL ? text.substring(0, MAX_DETAIL) + "…" : text;
  }
}
