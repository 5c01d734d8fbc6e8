package dev.millrace.server.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.json.JsonWriting;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers every problem, whoever found it, in the same form. */
public final class ProblemAnswers implements ServerErrorHandler {
  /** The media type of RFC 9457. */
  public static final MediaType MEDIA_TYPE = MediaType.create("application", "problem+json");

  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return cause instanceof HttpResponseException complete
        ? complete.httpResponse()
        : answer(Troubles.of(cause));
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return whole(Troubles.ofStatus(status), Map.of());
  }

  @Override
  public AggregatedHttpResponse onProtocolViolation(
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return whole(Troubles.ofStatus(status), Map.of());
  }

  /** The answer to a problem. */
  public static HttpResponse answer(HttpProblem problem) {
    return whole(problem, Map.of()).toHttpResponse();
  }

  /** The answer to a trouble. */
  static HttpResponse answer(Troubles.Trouble trouble) {
    return whole(trouble.problem(), trouble.fields()).toHttpResponse();
  }

  private static AggregatedHttpResponse whole(HttpProblem problem, Map<String, String> fields) {
    return AggregatedHttpResponse.of(
        JsonWriting.headers(HttpStatus.valueOf(problem.status()), MEDIA_TYPE, fields).build(),
        HttpData.wrap(JsonWriting.bytes(problem.all())));
  }
}
