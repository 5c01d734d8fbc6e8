package dev.millrace.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that are under way, and refuses those that are too many. */
final class InFlight {
  private final int most;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Counter refused;

  InFlight(int most, MeterRegistry meters) {
    this.most = most;
    this.refused = meters.counter("millrace.server.overloaded");
    meters.gauge("millrace.server.in.flight", inFlight);
  }

  HttpService around(HttpService next) {
    return new SimpleDecoratingHttpService(next) {
      @Override
      public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
          throws Exception {
        SlowHeads.arrived(context);
        if (inFlight.incrementAndGet() > most) {
          inFlight.decrementAndGet();
          refused.increment();
          throw new ProblemException(
              HttpProblem.of(503, "overloaded", "This server has too many requests under way")
                  .with("most", most)
                  .with("retryAfterSeconds", 1));
        }
        CompletableFuture<Void> unused =
            context.log().whenComplete().thenRun(inFlight::decrementAndGet);
        return unwrap().serve(context, request);
      }
    };
  }
}
