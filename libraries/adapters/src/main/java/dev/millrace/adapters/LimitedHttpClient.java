package dev.millrace.adapters;

import dev.millrace.AcquireRequest;
import dev.millrace.RateLimiter;
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
 * dev.millrace.RateLimitExceededException}, by {@code sendAsync} as the failure of its future. The
 * charge of a request without a response is refunded; any response is settled, whatever its status.
 * Web sockets are not limited.
 */
public final class LimitedHttpClient extends HttpClient {
  private final HttpClient delegate;
  private final RateLimiter limiter;
  private final Function<HttpRequest, @Nullable AcquireRequest> charge;
  private final @Nullable Duration maxWait;
  private final CostSettler<? super HttpResponse<?>> settling;

  private LimitedHttpClient(
      HttpClient delegate,
      RateLimiter limiter,
      Function<HttpRequest, @Nullable AcquireRequest> charge,
      @Nullable Duration maxWait,
      CostSettler<? super HttpResponse<?>> settling) {
    this.delegate = delegate;
    this.limiter = limiter;
    this.charge = charge;
    this.maxWait = maxWait;
    this.settling = settling;
  }

  /**
   * A client that sends through {@code delegate} the requests that the limiter admits.
   *
   * @param charge the charge of a request, null to send it without one
   */
  public static LimitedHttpClient of(
      HttpClient delegate,
      RateLimiter limiter,
      Function<HttpRequest, @Nullable AcquireRequest> charge) {
    return new LimitedHttpClient(delegate, limiter, charge, null, CostSettler.asCharged());
  }

  /** The same, waiting up to {@code longest} for tokens. */
  public LimitedHttpClient waiting(Duration longest) {
    return new LimitedHttpClient(delegate, limiter, charge, longest, settling);
  }

  /** The same, settled by the response. */
  public LimitedHttpClient settling(CostSettler<? super HttpResponse<?>> how) {
    return new LimitedHttpClient(delegate, limiter, charge, maxWait, how);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    AcquireRequest acquireRequest = charge.apply(request);
    if (acquireRequest == null) {
      return delegate.send(request, handler);
    }
    RateLimiter.Body<HttpResponse<T>, Exception> sending = lease -> delegate.send(request, handler);
    try {
      return limited(acquireRequest).call(sending, settling);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("send throws nothing else", e);
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, () -> delegate.sendAsync(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
    return sendAsync(request, () -> delegate.sendAsync(request, handler, pushed));
  }

  private <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, Supplier<CompletableFuture<HttpResponse<T>>> sending) {
    AcquireRequest acquireRequest = charge.apply(request);
    return acquireRequest == null
        ? sending.get()
        : limited(acquireRequest).callAsync(sending, settling);
  }

  private CallLimiter limited(AcquireRequest acquireRequest) {
    return CallLimiter.by(limiter, acquireRequest).waiting(maxWait);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return delegate.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return delegate.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return delegate.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return delegate.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return delegate.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return delegate.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return delegate.authenticator();
  }

  @Override
  public Version version() {
    return delegate.version();
  }

  @Override
  public Optional<Executor> executor() {
    return delegate.executor();
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return delegate.newWebSocketBuilder();
  }
}
