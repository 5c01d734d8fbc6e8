package dev.millrace.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.json.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A bound on the requests that the server works on at the same time; further ones get 503. */
final class InFlightLimit {
  private final int maxInFlight;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Counter refused;

  InFlightLimit(int maxInFlight, MeterRegistry meters) {
    this.maxInFlight = maxInFlight;
    this.refused = meters.counter("millrace.server.overloaded");
    meters.gauge("millrace.server.in.flight", inFlight);
  }

  HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    RequestHeadTimeout.arrived(context);
    if (inFlight.incrementAndGet() > maxInFlight) {
      inFlight.decrementAndGet();
      refused.increment();
      throw ProblemException.of(503, "overloaded", "This server has too many requests under way")
          .with("most", maxInFlight)
          .with("retryAfterSeconds", 1);
    }
    CompletableFuture<Void> unused =
        context.log().whenComplete().thenRun(inFlight::decrementAndGet);
    return next.serve(context, request);
  }
}
