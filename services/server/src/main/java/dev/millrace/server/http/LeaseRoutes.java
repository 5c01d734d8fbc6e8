package dev.millrace.server.http;

import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.LimitSet;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.JsonReader;
import dev.millrace.server.json.JsonResponses;
import dev.millrace.server.json.ProblemException;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The routes of leases. A lease is in the memory of the server that granted it; a call that reaches
 * another server is forwarded, once.
 */
final class LeaseRoutes {
  private static final String BASE = "/v1/namespaces/{namespace}/leases/{id}";

  private final LeaseTable table;
  private final Forwarder forwarder;
  private final ServerParts parts;

  private interface Action {
    CompletableFuture<HeldLease.View> apply(HeldLease held, JsonFields body);
  }

  LeaseRoutes(LeaseTable table, @Nullable URI advertised, ServerParts parts) {
    this.table = table;
    this.forwarder = new Forwarder(advertised);
    this.parts = parts;
  }

  void addTo(ServerBuilder server) {
    DecoratingHttpServiceFunction guard = parts.guard().requiring(Scope.ACQUIRE);
    server
        .route()
        .get(BASE)
        .decorator(guard)
        .build((context, request) -> serve(context, request, (held, body) -> now(held.view())));
    Map<String, Action> verbs =
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
                .build((context, request) -> serve(context, request, action)));
  }

  private HttpResponse serve(ServiceRequestContext context, HttpRequest request, Action action) {
    String namespace = Caller.namespace(context);
    String id = Objects.requireNonNull(context.pathParam("id"));
    LeaseIds.Verified verified = table.ids().verify(id, namespace);
    if (verified == null) {
      throw unknown();
    }
    if (!verified.own()) {
      return forwarder.forward(verified.owner(), context, request);
    }
    HeldLease held = table.find(id, namespace);
    if (held == null) {
      throw unknown();
    }
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(whole -> action.apply(held, JsonReader.optional(whole)))
            .thenApply(view -> JsonResponses.ok(Map.of("lease", view))));
  }

  /** The same for ids that never existed, that are forgotten, and that were made up. */
  private static ProblemException unknown() {
    return ProblemException.of(404, "unknown-lease", "There is no such lease");
  }

  private CompletableFuture<HeldLease.View> adjust(HeldLease held, JsonFields body) {
    Map<String, Long> amounts = body.amounts("adjust");
    String resource = body.textOrNull("resource");
    body.done();
    return now(held.adjust(resource, amounts));
  }

  private CompletableFuture<HeldLease.View> consume(HeldLease held, JsonFields body) {
    Map<String, Long> amounts = body.amounts("consume");
    body.done();
    return held.consume(amounts);
  }

  private CompletableFuture<HeldLease.View> extend(HeldLease held, JsonFields body) {
    Duration ttl = table.ttl(body.durationOrNull("ttl"));
    body.done();
    return now(held.extend(parts.clock().instant(), ttl));
  }

  private CompletableFuture<HeldLease.View> settle(HeldLease held, JsonFields body) {
    Map<String, Long> adjust = body.numbersOrNull("adjust", LimitSet.MAX_LIMITS);
    Map<String, Long> actual = body.numbersOrNull("actual", LimitSet.MAX_LIMITS);
    String resource = body.textOrNull("resource");
    body.done();
    if (adjust != null && actual != null) {
      throw BadRequest.field("actual", "cannot be given together with 'adjust'");
    }
    HeldLease.End end =
        actual == null
            ? new HeldLease.End(
                HeldLease.End.Kind.ADJUSTED, adjust == null ? Map.of() : adjust, resource)
            : new HeldLease.End(HeldLease.End.Kind.ACTUAL, actual, resource);
    return table.end(held, end);
  }

  private CompletableFuture<HeldLease.View> release(HeldLease held, JsonFields body) {
    body.done();
    return table.end(held, HeldLease.End.of(HeldLease.End.Kind.RELEASED));
  }

  private static CompletableFuture<HeldLease.View> now(HeldLease.View view) {
    return CompletableFuture.completedFuture(view);
  }

  /**
   * Forwards calls to the server that granted the lease. Its address comes from an id with a valid
   * signature, so no caller can choose the destination. A forwarded call is not forwarded again.
   */
  private static final class Forwarder {
    private static final String FORWARDED = "millrace-passed-on";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_ANSWER_BYTES = 64 * 1024;

    private final @Nullable URI own;
    private final WebClient client =
        WebClient.builder().responseTimeout(TIMEOUT).maxResponseLength(MAX_ANSWER_BYTES).build();

    Forwarder(@Nullable URI own) {
      this.own = own;
    }

    HttpResponse forward(@Nullable URI owner, ServiceRequestContext context, HttpRequest request) {
      if (owner == null || owner.equals(own) || request.headers().contains(FORWARDED)) {
        throw lost();
      }
      return HttpResponse.of(
          request
              .aggregate()
              .thenCompose(whole -> client.execute(copy(owner, context, whole)).aggregate())
              .handle(
                  (answer, failure) -> {
                    if (failure != null) {
                      throw problem(failure);
                    }
                    return answer.toHttpResponse();
                  }));
    }

    private static AggregatedHttpRequest copy(
        URI owner, ServiceRequestContext context, AggregatedHttpRequest whole) {
      RequestHeadersBuilder headers =
          RequestHeaders.builder(context.method(), owner.resolve(context.rawPath()).toString())
              .set(FORWARDED, "1");
      for (CharSequence name :
          List.of(HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.CONTENT_TYPE)) {
        String value = whole.headers().get(name);
        if (value != null) {
          headers.set(name, value);
        }
      }
      return AggregatedHttpRequest.of(headers.build(), whole.content());
    }

    private static ProblemException problem(Throwable failure) {
      return HttpRefusal.unwrapped(failure) instanceof UnprocessedRequestException
          ? lost()
          : ProblemException.of(
                  503, "lease-owner-silent", "The server that holds the lease does not answer")
              .with("retryAfterSeconds", 1);
    }

    private static ProblemException lost() {
      return ProblemException.of(410, "lease-lost", "The server that held the lease is gone")
          .detail("the charge stands; what was adjusted and not settled is lost");
    }
  }
}
