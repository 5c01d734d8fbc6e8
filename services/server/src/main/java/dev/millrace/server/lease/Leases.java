package dev.millrace.server.lease;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimitSet;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonBody;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.JsonWriting;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.problem.ProblemException;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What callers do with leases. A lease lives in the server that granted it; a call that reaches
 * another server is passed on, once.
 */
public final class Leases implements AutoCloseable {
  private static final String BASE = "/v1/namespaces/{namespace}/leases/{id}";

  private final LeaseSettings settings;
  private final LeaseIds ids;
  private final LeaseTable table;
  private final Passing passing;
  private final ServerParts parts;

  /** Holds leases as {@code settings} say. */
  public Leases(LeaseSettings settings, ServerParts parts) {
    this.settings = settings;
    this.parts = parts;
    this.ids = new LeaseIds(settings);
    this.table = new LeaseTable(settings, ids, parts.clock(), parts.meters());
    this.passing = new Passing(settings.advertised());
  }

  /** How long a lease lives, given what the request says. */
  public Duration ttl(@Nullable Duration asked) {
    return asked == null ? settings.ttl() : LeaseSettings.requireTtl("ttl", asked);
  }

  /** What becomes of it when nobody ends it, given what the request says. */
  public OnExpiry onExpiry(@Nullable OnExpiry asked) {
    return asked == null ? settings.onExpiry() : asked;
  }

  /** Takes a place for a lease that is about to be granted, or answers 503. */
  public void reserve() {
    table.reserve();
  }

  /** Gives the place back: nothing was granted. */
  public void unreserve() {
    table.unreserve();
  }

  /** Holds a lease in a place that was reserved; what the caller is told of it. */
  public Map<String, Object> hold(
      String namespace, AcquireRequest request, Lease lease, Duration ttl, OnExpiry end) {
    return table.hold(namespace, request, lease, ttl, end).view();
  }

  /** Gives everything of a lease back whose caller has gone before it heard of it. */
  public void abandon(String namespace, String id) {
    HeldLease held = table.find(id, namespace);
    if (held != null) {
      var unused = table.end(held, Ending.of(Ending.How.RELEASED));
    }
  }

  /** Adds the routes of leases. */
  public void addTo(ServerBuilder server) {
    Function<? super HttpService, ? extends HttpService> guard =
        parts.guard().requiring(Scope.ACQUIRE);
    server
        .route()
        .get(BASE)
        .decorator(guard)
        .build((context, request) -> local(context, request, (held, body) -> now(held.view())));
    Map<String, BiFunction<HeldLease, JsonFields, CompletableFuture<Map<String, Object>>>> verbs =
        Map.of(
            "adjust", this::adjust,
            "consume", this::consume,
            "extend", this::extend,
            "settle", this::settle,
            "release", this::release);
    verbs.forEach(
        (verb, action) ->
            server
                .route()
                .post(BASE + "/" + verb)
                .decorator(guard)
                .build((context, request) -> local(context, request, action)));
  }

  private HttpResponse local(
      ServiceRequestContext context,
      HttpRequest request,
      BiFunction<HeldLease, JsonFields, CompletableFuture<Map<String, Object>>> action) {
    String namespace =
        Caller.of(context).requireNamespace(Objects.requireNonNull(context.pathParam("namespace")));
    String id = Objects.requireNonNull(context.pathParam("id"));
    LeaseIds.Verified verified = ids.verify(id, namespace);
    if (verified == null) {
      throw unknown();
    }
    if (!verified.own()) {
      return passing.on(verified.owner(), context, request);
    }
    HeldLease held = table.find(id, namespace);
    if (held == null) {
      throw unknown();
    }
    return HttpResponse.of(
        JsonBody.optional(request)
            .thenCompose(body -> action.apply(held, body))
            .thenApply(view -> JsonWriting.ok(Map.of("lease", view))));
  }

  /** The same for what never was, what is forgotten, and what was made up. */
  private static ProblemException unknown() {
    return new ProblemException(HttpProblem.of(404, "unknown-lease", "There is no such lease"));
  }

  private CompletableFuture<Map<String, Object>> adjust(HeldLease held, JsonFields body) {
    Map<String, Long> amounts = amounts(body, "adjust");
    String resource = body.textOrNull("resource");
    body.done();
    held.adjust(resource, amounts);
    return now(held.view());
  }

  private CompletableFuture<Map<String, Object>> consume(HeldLease held, JsonFields body) {
    Map<String, Long> amounts = amounts(body, "consume");
    body.done();
    return held.consume(amounts).thenApply(ignored -> held.view()).toCompletableFuture();
  }

  private CompletableFuture<Map<String, Object>> extend(HeldLease held, JsonFields body) {
    Duration ttl = ttl(body.durationOrNull("ttl"));
    body.done();
    held.extend(parts.clock().instant(), ttl);
    return now(held.view());
  }

  private CompletableFuture<Map<String, Object>> settle(HeldLease held, JsonFields body) {
    Map<String, Long> adjust = body.numbersOrNull("adjust", LimitSet.MAX_LIMITS);
    Map<String, Long> actual = body.numbersOrNull("actual", LimitSet.MAX_LIMITS);
    String resource = body.textOrNull("resource");
    body.done();
    if (adjust != null && actual != null) {
      throw BadRequest.field("actual", "cannot be given together with 'adjust'");
    }
    Ending ending =
        actual == null
            ? new Ending(Ending.How.ADJUSTED, adjust == null ? Map.of() : adjust, resource)
            : new Ending(Ending.How.ACTUAL, actual, resource);
    return table.end(held, ending);
  }

  private CompletableFuture<Map<String, Object>> release(HeldLease held, JsonFields body) {
    body.done();
    return table.end(held, Ending.of(Ending.How.RELEASED));
  }

  private static Map<String, Long> amounts(JsonFields body, String name) {
    Map<String, Long> amounts = body.numbersOrNull(name, LimitSet.MAX_LIMITS);
    if (amounts == null || amounts.isEmpty()) {
      throw BadRequest.field(name, "is missing: name at least one limit and its amount");
    }
    return amounts;
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }

  /** Ends all that are open. */
  @Override
  public void close() {
    table.close();
  }
}
