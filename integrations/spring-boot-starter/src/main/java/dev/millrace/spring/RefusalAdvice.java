package dev.millrace.spring;

import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import java.nio.charset.StandardCharsets;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * An advice that answers refusals thrown by controllers as the filters answer theirs. It precedes
 * advice without an order, which often catches everything; a bean of this type replaces it.
 */
@Order(0)
@RestControllerAdvice
public class RefusalAdvice {
  /** The response to a refusal: 429, 403 or 503 with a problem. */
  @ExceptionHandler({
    RateLimitExceededException.class,
    LimiterDisabledException.class,
    LimiterUnavailableException.class
  })
  public ResponseEntity<byte[]> refused(MillraceException thrown) {
    HttpRefusal refusal = HttpRefusal.of((Throwable) thrown).orElseThrow(() -> thrown);
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(refusal.status())
            .header("content-type", HttpProblem.MEDIA_TYPE)
            .header("cache-control", "no-store");
    refusal.fields().forEach(answer::header);
    return answer.body(refusal.problem().json().getBytes(StandardCharsets.UTF_8));
  }
}
