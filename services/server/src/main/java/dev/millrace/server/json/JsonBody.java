package dev.millrace.server.json;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The body of a request as JSON. How long it may be is up to the server. */
public final class JsonBody {
  private JsonBody() {}

  /** The object that the body of {@code request} must be. */
  public static CompletableFuture<JsonFields> required(HttpRequest request) {
    return request
        .aggregate()
        .thenApply(
            whole -> {
              requireJson(whole.headers());
              return JsonReading.object(whole.content().array());
            });
  }

  /** The same; a request without a body has no fields. */
  public static CompletableFuture<JsonFields> optional(HttpRequest request) {
    return request.aggregate().thenApply(JsonBody::optional);
  }

  private static JsonFields optional(AggregatedHttpRequest whole) {
    if (whole.content().isEmpty()) {
      return JsonFields.none();
    }
    requireJson(whole.headers());
    return JsonReading.object(whole.content().array());
  }

  /** JSON in UTF-8 and not compressed; a browser's form cannot say so by itself. */
  public static void requireJson(RequestHeaders headers) {
    MediaType type = headers.contentType();
    if (type == null || !type.is(MediaType.JSON.withoutParameters()) || !isUtf8(type.charset())) {
      throw unsupported("the body must be sent with Content-Type: application/json");
    }
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw unsupported("the body must be sent without Content-Encoding");
    }
  }

  private static boolean isUtf8(@Nullable Charset charset) {
    return charset == null || charset.equals(StandardCharsets.UTF_8);
  }

  private static ProblemException unsupported(String detail) {
    return new ProblemException(
        HttpProblem.of(
                415, "unsupported-media-type", "The body is of a type that is not understood")
            .detail(detail));
  }
}
