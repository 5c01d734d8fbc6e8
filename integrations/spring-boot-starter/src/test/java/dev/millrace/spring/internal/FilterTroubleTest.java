package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.spring.MillraceProperties;
import dev.millrace.spring.MillraceProperties.HeaderPolicy;
import dev.millrace.spring.WebRules;
import dev.millrace.spring.test.TestLedger;
import dev.millrace.testkit.InMemoryStore;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Both filters when the store goes away, and what only they can be told without a server. */
class FilterTroubleTest {
  private final Away store = new Away();
  private final RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults());

  private static WebRuleTable rules(String entity, @Nullable OnUnavailable policy) {
    MillraceProperties.Rule rule =
        new MillraceProperties.Rule(
            List.of("/api/**"),
            List.of("get"),
            entity,
            /* anonymous= */ null,
            "api",
            List.of("calls:5/day"),
            List.of(),
            List.of("calls=3"),
            /* maxWait= */ null,
            policy);
    return new WebRuleTable(
        new WebRules(List.of(rule)), new ChargeRegistry(), new DefaultListableBeanFactory());
  }

  private MockHttpServletResponse servlet(
      String entity, @Nullable OnUnavailable policy, MockHttpServletRequest request, Runnable work)
      throws Exception {
    MockHttpServletResponse response = new MockHttpServletResponse();
    new MillraceFilter(() -> limiter, rules(entity, policy), HeaderPolicy.REFUSED)
        .doFilter(
            request,
            response,
            (passed, answer) -> {
              work.run();
              ((HttpServletResponse) answer).setStatus(202);
            });
    return response;
  }

  private MockServerWebExchange reactive(@Nullable OnUnavailable policy, Runnable work) {
    MockServerWebExchange exchange =
        MockServerWebExchange.from(MockServerHttpRequest.get("/api/x").build());
    new MillraceWebFilter(() -> limiter, rules("ann", policy), HeaderPolicy.REFUSED, 0)
        .filter(
            exchange,
            passed -> {
              work.run();
              passed.getResponse().setStatusCode(HttpStatus.ACCEPTED);
              return Mono.empty();
            })
        .block();
    return exchange;
  }

  private static MockHttpServletRequest get() {
    return new MockHttpServletRequest("GET", "/api/x");
  }

  @Test
  void servlet_withoutTheStore_answers503() throws Exception {
    store.away = true;

    MockHttpServletResponse response = servlet("ann", null, get(), () -> {});

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(response.getHeader("Retry-After")).isEqualTo("1");
    assertThat(response.getContentAsString()).contains("urn:millrace:problem:store-unavailable");
  }

  @Test
  void reactive_withoutTheStore_answers503() {
    store.away = true;

    MockServerWebExchange exchange = reactive(null, () -> {});

    assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
    assertThat(exchange.getResponse().getBodyAsString().block())
        .contains("urn:millrace:problem:store-unavailable");
  }

  @Test
  void both_withoutTheStoreWhereTheRuleAllows_goOn() throws Exception {
    store.away = true;

    assertThat(servlet("ann", OnUnavailable.ALLOW, get(), () -> {}).getStatus()).isEqualTo(202);
    assertThat(reactive(OnUnavailable.ALLOW, () -> {}).getResponse().getStatusCode())
        .isEqualTo(HttpStatus.ACCEPTED);
  }

  @Test
  void both_whoseStoreGoesAwayMeanwhile_answerAllTheSame() throws Exception {
    assertThat(servlet("ann", null, get(), () -> store.away = true).getStatus()).isEqualTo(202);
    store.away = false;
    assertThat(reactive(null, () -> store.away = true).getResponse().getStatusCode())
        .isEqualTo(HttpStatus.ACCEPTED);

    assertThat(limiter.metrics().settlementsPostponed()).isGreaterThanOrEqualTo(2);
    store.away = false;
    limiter.close();
    assertThat(new TestLedger(store.behind, "default").consumed("ann", "api", "calls"))
        .as("both cost three, however late that was written")
        .isEqualTo(6);
  }

  @Test
  void reactive_cancelled_isSettled() {
    MockServerWebExchange exchange =
        MockServerWebExchange.from(MockServerHttpRequest.get("/api/x").build());
    TestLedger ledger = new TestLedger(store.behind, "default");

    Disposable going =
        new MillraceWebFilter(() -> limiter, rules("eve", null), HeaderPolicy.REFUSED, 0)
            .filter(exchange, passed -> Mono.never())
            .subscribe();
    assertThat(ledger.consumed("eve", "api", "calls")).isEqualTo(1);
    going.dispose();

    assertThat(ledger.consumed("eve", "api", "calls")).isEqualTo(3);
  }

  @Test
  void entity_ofPrincipalAndAddress_isCharged() throws Exception {
    MockHttpServletRequest request = get();
    request.setUserPrincipal(() -> "bob");
    request.setRemoteAddr("10.1.2.3");
    TestLedger ledger = new TestLedger(store.behind, "default");

    servlet("#principal", null, request, () -> {});
    servlet("#remote", null, request, () -> {});
    servlet("#request.method", null, request, () -> {});

    assertThat(ledger.consumed("bob", "api", "calls")).isEqualTo(3);
    assertThat(ledger.consumed("10.1.2.3", "api", "calls")).isEqualTo(3);
    assertThat(ledger.consumed("GET", "api", "calls")).isEqualTo(3);
  }

  @Test
  void path_belowTheApplication_isMatched() throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", "/shop/api/x;v=1");
    request.setContextPath("/shop");
    MockHttpServletRequest post = new MockHttpServletRequest("POST", "/api/x");
    TestLedger ledger = new TestLedger(store.behind, "default");

    servlet("cat", null, request, () -> {});
    servlet("dan", null, post, () -> {});

    assertThat(ledger.consumed("cat", "api", "calls")).isEqualTo(3);
    assertThat(ledger.consumed("dan", "api", "calls")).isZero();
  }

  /** A store in memory that can be cut off. */
  private static final class Away implements BlockingStore, AsyncStore {
    private static final StoreFailure FAILURE =
        new StoreFailure(StoreFailure.Kind.UNREACHABLE, null);

    final InMemoryStore behind = new InMemoryStore();
    volatile boolean away;

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      return away
          ? new StoreReply.NotApplied(FAILURE, Receipt.NONE)
          : behind.execute(call, timeoutMs);
    }

    @Override
    public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
      return CompletableFuture.completedFuture(execute(call, timeoutMs));
    }
  }
}
