package dev.millrace.adapters.jdk;

import dev.millrace.AcquireRequest;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.call.CallLimiter;
import dev.millrace.adapters.call.CheckedCall;
import dev.millrace.adapters.call.CostSettler;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that charges requests before it sends them. A refusal is thrown as {@link
 * dev.millrace.RateLimitExceededException}, by {@code sendAsync} as the failure of its
 * future. The charge of a request without a response is refunded; any response is settled, whatever
 * its status. Web sockets are not limited.
 */
public final class LimitedHttpClient extends HttpClient {
  private final HttpClient behind;
  private final RateLimiter limiter;
  private final Function<HttpRequest, @Nullable AcquireRequest> charge;
  private final @Nullable Duration maxWait;
  private final CostSettler<? super HttpResponse<?>> settling;

  private LimitedHttpClient(
      HttpClient behind,
      RateLimiter limiter,
      Function<HttpRequest, @Nullable AcquireRequest> charge,
      @Nullable Duration maxWait,
      CostSettler<? super HttpResponse<?>> settling) {
    this.behind = behind;
    this.limiter = limiter;
    this.charge = charge;
    this.maxWait = maxWait;
    this.settling = settling;
  }

  /**
   * A client that sends through {@code behind} the requests that the limiter admits.
   *
   * @param charge the charge of a request, null to send it without one
   */
  public static LimitedHttpClient of(
      HttpClient behind,
      RateLimiter limiter,
      Function<HttpRequest, @Nullable AcquireRequest> charge) {
    return new LimitedHttpClient(behind, limiter, charge, null, CostSettler.asCharged());
  }

  /** The same, waiting up to {@code longest} for tokens. */
  public LimitedHttpClient waiting(Duration longest) {
    return new LimitedHttpClient(behind, limiter, charge, longest, settling);
  }

  /** The same, settled by the response. */
  public LimitedHttpClient settling(CostSettler<? super HttpResponse<?>> how) {
    return new LimitedHttpClient(behind, limiter, charge, maxWait, how);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    AcquireRequest asked = charge.apply(request);
    if (asked == null) {
      return behind.send(request, handler);
    }
    CheckedCall<HttpResponse<T>, Exception> sending = () -> behind.send(request, handler);
    try {
      return limited(asked).call(sending, settling);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("send throws nothing else", e);
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, () -> behind.sendAsync(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
    return sendAsync(request, () -> behind.sendAsync(request, handler, pushed));
  }

  private <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, Supplier<CompletableFuture<HttpResponse<T>>> sending) {
    AcquireRequest asked = charge.apply(request);
    return asked == null ? sending.get() : limited(asked).callAsync(sending, settling);
  }

  private CallLimiter limited(AcquireRequest asked) {
    return CallLimiter.by(limiter, asked).waiting(maxWait);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return behind.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return behind.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return behind.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return behind.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return behind.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return behind.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return behind.authenticator();
  }

  @Override
  public Version version() {
    return behind.version();
  }

  @Override
  public Optional<Executor> executor() {
    return behind.executor();
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return behind.newWebSocketBuilder();
  }
}
