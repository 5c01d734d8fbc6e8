package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.spring.MillraceProperties.HeaderPolicy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * The {@link MillraceFilter} for WebFlux, without blocking. A streamed response is settled when it
 * has ended, and also when the client disconnects.
 */
final class MillraceWebFilter implements WebFilter, Ordered {
  private static final int OK = 200;

  private final Supplier<RateLimiter> limiter;
  private final WebRuleTable rules;
  private final HeaderPolicy headers;
  private final int order;

  MillraceWebFilter(
      Supplier<RateLimiter> limiter, WebRuleTable rules, HeaderPolicy headers, int order) {
    this.limiter = limiter;
    this.rules = rules;
    this.headers = headers;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return exchange
        .getPrincipal()
        .map(Principal::getName)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(principal -> filter(exchange, chain, principal));
  }

  private Mono<Void> filter(
      ServerWebExchange exchange, WebFilterChain chain, Optional<String> principal) {
    WebCharge charge = rules.find(webRequest(exchange.getRequest(), principal.orElse(null)));
    if (charge == null) {
      return chain.filter(exchange);
    }
    AcquireRequest acquireRequest;
    try {
      acquireRequest = charge.request();
    } catch (WebCharge.UnchargeableException e) {
      return refuse(exchange.getResponse(), e.refusal());
    }
    // Only an exception of the acquire is a refusal: those of the handler are its own.
    return ReactiveLeases.acquired(limiter.get(), acquireRequest, charge.maxWait())
        .map(lease -> pass(charge, acquireRequest, lease, exchange, chain))
        .onErrorResume(
            failure ->
                HttpRefusal.of(failure)
                    .map(refusal -> Mono.just(refuse(exchange.getResponse(), refusal)))
                    .orElseGet(() -> Mono.error(failure)))
        .flatMap(Function.identity());
  }

  private static WebRequest webRequest(ServerHttpRequest request, @Nullable String principal) {
    InetSocketAddress remote = request.getRemoteAddress();
    return new WebRequest(
        request.getMethod().name(),
        request.getPath().pathWithinApplication().value(),
        () -> header(request.getHeaders()),
        () -> principal,
        remote == null || remote.getAddress() == null ? "" : remote.getAddress().getHostAddress(),
        request);
  }

  /** The first value of each field. */
  private static Map<String, String> header(HttpHeaders fields) {
    Map<String, String> header = new LinkedCaseInsensitiveMap<>();
    fields.toSingleValueMap().forEach(header::put);
    return header;
  }

  private Mono<Void> pass(
      WebCharge charge,
      AcquireRequest acquireRequest,
      Lease lease,
      ServerWebExchange exchange,
      WebFilterChain chain) {
    exchange.getAttributes().put(WebCharge.LEASE, lease);
    return Mono.usingWhen(
        Mono.just(lease),
        held ->
            withLimitHeaders(acquireRequest, exchange.getResponse()).then(chain.filter(exchange)),
        held -> ended(charge, held, exchange.getResponse(), /* failed= */ false),
        (held, failure) -> ended(charge, held, exchange.getResponse(), isOfServer(failure)),
        held -> ended(charge, held, exchange.getResponse(), /* failed= */ false));
  }

  /** Whether {@code failure} will be answered with 5xx; the response does not exist yet. */
  private static boolean isOfServer(Throwable failure) {
    return !(failure instanceof ErrorResponse answer) || answer.getStatusCode().is5xxServerError();
  }

  private Mono<Void> withLimitHeaders(AcquireRequest acquireRequest, ServerHttpResponse response) {
    return headers == HeaderPolicy.REFUSED
        ? Mono.empty()
        : Mono.fromCompletionStage(() -> LimitHeaders.nowAsync(limiter.get(), acquireRequest))
            .doOnNext(fields -> fields.forEach(response.getHeaders()::set))
            .then();
  }

  /** Never fails: the response is complete, and the limiter counts and logs failed writes. */
  private static Mono<Void> ended(
      WebCharge charge, Lease lease, ServerHttpResponse response, boolean failed) {
    return endedOrFailed(charge, lease, response, failed)
        .onErrorResume(
            failure -> {
              WebCharge.logNotSettled(lease, failure);
              return Mono.empty();
            });
  }

  private static Mono<Void> endedOrFailed(
      WebCharge charge, Lease lease, ServerHttpResponse response, boolean failed) {
    HttpStatusCode set = response.getStatusCode();
    int status = set == null ? OK : set.value();
    if (WebCharge.isRefunded(failed, response.isCommitted(), status)) {
      return ReactiveLeases.refunded(lease);
    }
    HttpHeaders fields = response.getHeaders();
    return ReactiveLeases.settled(lease, response, charge.settling(status, () -> header(fields)));
  }

  private static Mono<Void> refuse(ServerHttpResponse response, HttpRefusal refusal) {
    byte[] body = refusal.problem().json().getBytes(StandardCharsets.UTF_8);
    response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
    response.getHeaders().set("content-type", HttpProblem.MEDIA_TYPE);
    response.getHeaders().set("cache-control", "no-store");
    refusal.fields().forEach(response.getHeaders()::set);
    response.getHeaders().setContentLength(body.length);
    return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
  }
}
