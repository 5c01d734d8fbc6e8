package dev.millrace.server.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
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
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterDisabledException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.LimitBalances;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonBody;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.JsonReading;
import dev.millrace.server.json.JsonWriting;
import dev.millrace.server.lease.LeaseSettings;
import dev.millrace.server.lease.Leases;
import dev.millrace.server.observability.GroupSpans;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Asking for tokens over HTTP, and for what is left of them. Nothing here blocks. */
public final class DataPlane implements Feature {
  /** What a decision may take beside the wait: a wait must leave as much of the request's time. */
  static final Duration DECISION_TIME = Duration.ofSeconds(5);

  private static final String BASE = "/v1/namespaces/{namespace}";

  private final LeaseSettings settings;
  private final ServerLife life;
  private final Idempotency idempotency = new Idempotency();
  private @Nullable Leases leases;

  /** Serves a server whose life is {@code life}, with leases as {@code settings} say. */
  public DataPlane(LeaseSettings settings, ServerLife life) {
    this.settings = settings;
    this.life = life;
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    Leases held = new Leases(settings, parts);
    leases = held;
    held.addTo(server);
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
      ServiceRequestContext context, HttpRequest request, ServerParts parts, Leases held) {
    life.requireNotDraining();
    Caller caller = Caller.of(context);
    String namespace = namespace(context, caller);
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(
                whole -> {
                  JsonBody.requireJson(whole.headers());
                  AcquireBody body = AcquireBody.read(JsonReading.object(bytes(whole)));
                  requireWait(context, body.maxWait());
                  return idempotency.once(
                      namespace,
                      caller.name(),
                      whole.headers().get(Idempotency.FIELD),
                      bytes(whole),
                      () ->
                          new Acquire(
                                  new CallerPresence(context),
                                  whole.headers().contains(Idempotency.FIELD),
                                  parts,
                                  held,
                                  namespace,
                                  body)
                              .run());
                })
            .thenApply(AggregatedHttpResponse::toHttpResponse));
  }

  private static byte[] bytes(AggregatedHttpRequest whole) {
    return whole.content().array();
  }

  private static void requireWait(ServiceRequestContext context, @Nullable Duration maxWait) {
    Duration most = Duration.ofMillis(context.requestTimeoutMillis()).minus(DECISION_TIME);
    if (maxWait != null && (maxWait.isNegative() || maxWait.compareTo(most) > 0)) {
      throw BadRequest.field("maxWait", "is " + maxWait + ", must be from PT0S to " + most);
    }
  }

  /**
   * One acquire, from a body that was read to its answer.
   *
   * @param repeatable whether the caller can ask for the same answer again
   */
  private record Acquire(
      CallerPresence caller,
      boolean repeatable,
      ServerParts parts,
      Leases leases,
      String namespace,
      AcquireBody body) {
    CompletableFuture<AggregatedHttpResponse> run() {
      Duration ttl = leases.ttl(body.ttl());
      RateLimiter limiter = parts.limiters().in(namespace);
      if (body.lease()) {
        leases.reserve();
      }
      try {
        Duration maxWait = body.maxWait();
        CompletableFuture<Acquisition> asked =
            GroupSpans.linked(
                (maxWait == null
                        ? limiter.tryAcquireAsync(body.request())
                        : limiter.tryAcquireAsync(body.request(), maxWait))
                    .toCompletableFuture());
        // A caller that is gone is not served: what it would have got is given back.
        caller.whenGone(() -> asked.cancel(false));
        return asked
            .whenComplete((acquisition, failure) -> freeUnlessGranted(acquisition))
            .thenCompose(acquisition -> granted(limiter, ttl, acquisition))
            .whenComplete((answer, failure) -> forgetIfUnknown(parts, namespace, failure));
      } catch (RuntimeException e) {
        freeUnlessGranted(null);
        throw e;
      }
    }

    private void freeUnlessGranted(@Nullable Acquisition acquisition) {
      if (!(acquisition instanceof Acquisition.Granted)) {
        freePlace();
      }
    }

    private void freePlace() {
      if (body.lease()) {
        leases.unreserve();
      }
    }

    private CompletionStage<AggregatedHttpResponse> granted(
        RateLimiter limiter, Duration ttl, Acquisition acquisition) {
      if (acquisition instanceof Acquisition.Refused refused) {
        throw new RateLimitExceededException(refused.rejection());
      }
      if (acquisition instanceof Acquisition.Disabled off) {
        throw new LimiterDisabledException(off.disabled());
      }
      Lease lease = ((Acquisition.Granted) acquisition).lease();
      giveBackIfGone(lease);
      Map<String, Object> answer = new LinkedHashMap<>();
      if (body.lease()) {
        Map<String, Object> view =
            leases.hold(namespace, body.request(), lease, ttl, leases.onExpiry(body.onExpiry()));
        String id = (String) Objects.requireNonNull(view.get("id"));
        afterAnswer(() -> {}, () -> leases.abandon(namespace, id));
        answer.put("lease", view);
      } else {
        afterAnswer(lease::close, lease::cancel); // to close writes nothing
      }
      answer.put("degraded", lease.isDegraded());
      if (!lease.overdrawn().isEmpty()) {
        answer.put("overdrawn", LimitBalances.of(lease.overdrawn()));
      }
      return body.balances()
          ? limiter
              .availableAsync(body.request().entityId(), body.request().resource(), limits())
              .handle((left, failure) -> answer(answer, left == null ? null : left.statuses()))
          : CompletableFuture.completedFuture(answer(answer, null));
    }

    /** A repeat under the same key must not get a lease that is about to end. */
    private void giveBackIfGone(Lease lease) {
      if (caller.isGone()) {
        freePlace();
        var unused = lease.cancelAsync(); // its failure is told to the listeners
        throw new CancellationException();
      }
    }

    /** An answer that can be asked for again stays good although it was not heard. */
    private void afterAnswer(Runnable heard, Runnable lost) {
      caller.afterAnswer(heard, repeatable ? heard : lost);
    }

    private Limit[] limits() {
      LimitSet limits = body.request().draws().get(0).limits();
      return limits == null ? new Limit[0] : limits.asList().toArray(Limit[]::new);
    }

    private static AggregatedHttpResponse answer(
        Map<String, Object> answer, @Nullable List<LimitStatus> left) {
      if (left == null) {
        return JsonWriting.whole(HttpStatus.OK, answer, Map.of());
      }
      answer.put("limits", LimitBalances.of(left));
      return JsonWriting.whole(HttpStatus.OK, answer, LimitHeaders.of(left));
    }
  }

  private static HttpResponse availability(ServiceRequestContext context, ServerParts parts) {
    String namespace = namespace(context, Caller.of(context));
    return HttpResponse.of(
        parts
            .limiters()
            .in(namespace)
            .availableAsync(
                Objects.requireNonNull(context.pathParam("entity")),
                Objects.requireNonNull(context.pathParam("resource")))
            .whenComplete((left, failure) -> forgetIfUnknown(parts, namespace, failure))
            .thenApply(
                left ->
                    JsonWriting.answer(
                        HttpStatus.OK,
                        Map.of("limits", LimitBalances.of(left.statuses())),
                        LimitHeaders.of(left.statuses()))));
  }

  private static HttpResponse timeUntilAvailable(
      ServiceRequestContext context, HttpRequest request, ServerParts parts) {
    String namespace = namespace(context, Caller.of(context));
    return HttpResponse.of(
        JsonBody.required(request)
            .thenCompose(
                body -> parts.limiters().in(namespace).timeUntilAvailableAsync(wholeRequest(body)))
            .whenComplete((wait, failure) -> forgetIfUnknown(parts, namespace, failure))
            .thenApply(
                wait -> {
                  Map<String, Object> answer = new LinkedHashMap<>();
                  answer.put("possible", wait.isPresent());
                  wait.ifPresent(time -> answer.put("waitMs", time.toMillis()));
                  return JsonWriting.ok(answer);
                }));
  }

  private static AcquireRequest wholeRequest(JsonFields body) {
    AcquireRequest request = AcquireBody.request(body);
    body.done();
    return request;
  }

  private static String namespace(ServiceRequestContext context, Caller caller) {
    return caller.requireNamespace(Objects.requireNonNull(context.pathParam("namespace")));
  }

  private static void forgetIfUnknown(
      ServerParts parts, String namespace, @Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof LimiterConfigurationException wrong
        && Troubles.isUnknownNamespace(wrong)) {
      parts.limiters().forget(namespace);
    }
  }

  @Override
  public void close() {
    if (leases != null) {
      leases.close();
    }
  }
}
