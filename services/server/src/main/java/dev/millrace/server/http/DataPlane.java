package dev.millrace.server.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterDisabledException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.LimitBalances;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.JsonReader;
import dev.millrace.server.json.JsonResponses;
import dev.millrace.server.observability.GroupSpans;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes of the limiter itself: acquire, availability and leases. None of them blocks. */
public final class DataPlane implements Feature {
  /** The part of a request's time that a wait for tokens must leave for the decision. */
  private static final Duration DECISION_TIME = Duration.ofSeconds(5);

  private static final String BASE = "/v1/namespaces/{namespace}";

  private final LeaseSettings settings;
  private final ServerLife life;
  private final IdempotentResponses idempotency = new IdempotentResponses();
  private @Nullable LeaseTable leases;

  /** The routes of a server with this life cycle, which holds leases as {@code settings} say. */
  public DataPlane(LeaseSettings settings, ServerLife life) {
    this.settings = settings;
    this.life = life;
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    LeaseTable held = new LeaseTable(settings, parts.clock(), parts.meters());
    leases = held;
    new LeaseRoutes(held, settings.advertised(), parts).addTo(server);
    server
        .route()
        .post(BASE + "/acquire")
        .decorator(parts.guard().requiring(Scope.ACQUIRE))
        .build((context, request) -> acquire(context, request, parts, held));
    server
        .route()
        .get(BASE + "/entities/{entity}/availability/{*resource}")
        .decorator(parts.guard().requiring(Scope.READ))
        .build((context, request) -> availability(context, parts));
    server
        .route()
        .post(BASE + "/time-until-available")
        .decorator(parts.guard().requiring(Scope.READ))
        .build((context, request) -> timeUntilAvailable(context, request, parts));
  }

  private HttpResponse acquire(
      ServiceRequestContext context, HttpRequest request, ServerParts parts, LeaseTable held) {
    life.requireNotDraining();
    String namespace = Caller.namespace(context);
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(
                whole -> {
                  AcquireBody body = AcquireBody.read(JsonReader.required(whole));
                  requireWait(context, body.maxWait());
                  String key = whole.headers().get(IdempotentResponses.FIELD);
                  CallerPresence caller = new CallerPresence(context);
                  return idempotency.once(
                      namespace,
                      Caller.of(context).name(),
                      key,
                      whole.content().array(),
                      () -> new Acquire(caller, key != null, parts, held, namespace, body).run());
                })
            .thenApply(AggregatedHttpResponse::toHttpResponse));
  }

  private static void requireWait(ServiceRequestContext context, @Nullable Duration maxWait) {
    Duration most = Duration.ofMillis(context.requestTimeoutMillis()).minus(DECISION_TIME);
    if (maxWait != null && (maxWait.isNegative() || maxWait.compareTo(most) > 0)) {
      throw BadRequest.field("maxWait", "is " + maxWait + ", must be from PT0S to " + most);
    }
  }

  /**
   * One acquire, from its body to its response.
   *
   * @param repeatable whether the caller can request the same response again
   */
  private record Acquire(
      CallerPresence caller,
      boolean repeatable,
      ServerParts parts,
      LeaseTable leases,
      String namespace,
      AcquireBody body) {
    CompletableFuture<AggregatedHttpResponse> run() {
      Duration ttl = leases.ttl(body.ttl());
      if (body.lease()) {
        leases.reserve();
      }
      try {
        return parts
            .limiters()
            .call(
                namespace,
                limiter ->
                    decision(limiter)
                        .whenComplete((acquisition, failure) -> unreserveUnlessGranted(acquisition))
                        .thenCompose(acquisition -> response(limiter, ttl, acquisition)))
            .toCompletableFuture();
      } catch (RuntimeException e) {
        unreserveUnlessGranted(null);
        throw e;
      }
    }

    private CompletionStage<Acquisition> decision(RateLimiter limiter) {
      Duration maxWait = body.maxWait();
      CompletableFuture<Acquisition> decision =
          GroupSpans.linked(
              (maxWait == null
                      ? limiter.tryAcquireAsync(body.request())
                      : limiter.tryAcquireAsync(body.request(), maxWait))
                  .toCompletableFuture());
      caller.whenGone(() -> decision.cancel(false)); // which gives the charge back
      return decision;
    }

    private void unreserveUnlessGranted(@Nullable Acquisition acquisition) {
      if (body.lease() && !(acquisition instanceof Acquisition.Granted)) {
        leases.unreserve();
      }
    }

    private CompletionStage<AggregatedHttpResponse> response(
        RateLimiter limiter, Duration ttl, Acquisition acquisition) {
      if (acquisition instanceof Acquisition.Refused refused) {
        throw new RateLimitExceededException(refused.rejection());
      }
      if (acquisition instanceof Acquisition.Disabled off) {
        throw new LimiterDisabledException(off.disabled());
      }
      Lease lease = ((Acquisition.Granted) acquisition).lease();
      if (caller.isGone()) { // a repeat under the same key must not get this lease
        unreserveUnlessGranted(null);
        var unused = lease.cancelAsync(); // listeners are called with its failure
        throw new CancellationException();
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      if (body.lease()) {
        HeldLease held = leases.hold(namespace, body, lease, ttl);
        afterResponse(
            () -> {},
            () -> {
              var unused = leases.end(held, HeldLease.End.of(HeldLease.End.Kind.RELEASED));
            });
        answer.put("lease", held.view());
      } else {
        afterResponse(lease::close, lease::cancel); // to close writes nothing
      }
      answer.put("degraded", lease.isDegraded());
      if (!lease.overdrawn().isEmpty()) {
        answer.put("overdrawn", LimitBalances.of(lease.overdrawn()));
      }
      if (!body.balances()) {
        return CompletableFuture.completedFuture(response(answer, null));
      }
      LimitSet own = body.request().draws().get(0).limits();
      Limit[] limits = own == null ? new Limit[0] : own.asList().toArray(Limit[]::new);
      return limiter
          .availableAsync(body.request().entityId(), body.request().resource(), limits)
          .handle((left, failure) -> response(answer, left == null ? null : left.statuses()));
    }

    /** A response that can be requested again stays valid even if it was lost. */
    private void afterResponse(Runnable sent, Runnable lost) {
      caller.afterResponse(sent, repeatable ? sent : lost);
    }

    private static AggregatedHttpResponse response(
        Map<String, Object> answer, @Nullable List<LimitStatus> left) {
      if (left == null) {
        return JsonResponses.of(HttpStatus.OK, answer, Map.of());
      }
      answer.put("limits", LimitBalances.of(left));
      return JsonResponses.of(HttpStatus.OK, answer, LimitHeaders.of(left));
    }
  }

  private static HttpResponse availability(ServiceRequestContext context, ServerParts parts) {
    String namespace = Caller.namespace(context);
    String entity = Objects.requireNonNull(context.pathParam("entity"));
    String resource = Objects.requireNonNull(context.pathParam("resource"));
    return HttpResponse.of(
        parts
            .limiters()
            .call(namespace, limiter -> limiter.availableAsync(entity, resource))
            .thenApply(left -> Acquire.response(new LinkedHashMap<>(), left.statuses()))
            .thenApply(AggregatedHttpResponse::toHttpResponse));
  }

  private static HttpResponse timeUntilAvailable(
      ServiceRequestContext context, HttpRequest request, ServerParts parts) {
    String namespace = Caller.namespace(context);
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(
                whole -> {
                  JsonFields body = JsonReader.required(whole);
                  AcquireRequest asked = AcquireBody.request(body);
                  body.done();
                  return parts
                      .limiters()
                      .call(namespace, limiter -> limiter.timeUntilAvailableAsync(asked));
                })
            .thenApply(
                wait -> {
                  Map<String, Object> answer = new LinkedHashMap<>();
                  answer.put("possible", wait.isPresent());
                  wait.ifPresent(time -> answer.put("waitMs", time.toMillis()));
                  return JsonResponses.ok(answer);
                }));
  }

  @Override
  public void close() {
    if (leases != null) {
      leases.close();
    }
  }
}
