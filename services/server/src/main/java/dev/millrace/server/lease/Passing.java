package dev.millrace.server.lease;

import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls on to the server that granted the lease. Its address comes from an id that was
 * verified, so nobody can make this server call elsewhere. A call that was passed on is not passed
 * on again.
 */
final class Passing {
  /** Set on what was passed on. */
  static final String PASSED_ON = "millrace-passed-on";

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  private final @Nullable URI own;
  private final WebClient client =
      WebClient.builder().responseTimeout(TIMEOUT).maxResponseLength(MAX_ANSWER_BYTES).build();

  Passing(@Nullable URI own) {
    this.own = own;
  }

  HttpResponse on(@Nullable URI owner, ServiceRequestContext context, HttpRequest request) {
    if (owner == null || owner.equals(own) || request.headers().contains(PASSED_ON)) {
      throw lost();
    }
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(whole -> client.execute(passed(owner, context, whole)).aggregate())
            .handle(
                (answer, failure) -> {
                  if (failure != null) {
                    throw told(failure);
                  }
                  return asOwn(answer);
                }));
  }

  private static AggregatedHttpRequest passed(
      URI owner, ServiceRequestContext context, AggregatedHttpRequest whole) {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(context.method(), owner.resolve(context.rawPath()).toString())
            .set(PASSED_ON, "1");
    for (CharSequence name :
        new CharSequence[] {HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.CONTENT_TYPE}) {
      String value = whole.headers().get(name);
      if (value != null) {
        headers.set(name, value);
      }
    }
    return AggregatedHttpRequest.of(headers.build(), whole.content());
  }

  private static HttpResponse asOwn(AggregatedHttpResponse answer) {
    return answer.toHttpResponse();
  }

  private static ProblemException told(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof UnprocessedRequestException
        ? lost()
        : new ProblemException(
            HttpProblem.of(
                    503, "lease-owner-silent", "The server that holds the lease does not answer")
                .with("retryAfterSeconds", 1));
  }

  private static ProblemException lost() {
    return new ProblemException(
        HttpProblem.of(410, "lease-lost", "The server that held the lease is gone")
            .detail("the charge stands; what was adjusted and not settled is lost"));
  }
}
