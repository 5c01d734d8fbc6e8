package dev.millrace.adapters.okhttp;

import dev.millrace.AcquireRequest;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.CallLimiter;
import dev.millrace.adapters.CostSettler;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * An OkHttp interceptor that charges a call before it is sent. Added with {@code addInterceptor}, a
 * call is charged once, with {@code addNetworkInterceptor} once for each redirect and retry.
 *
 * <p>A refusal is an {@link IOException}, because OkHttp treats every other exception as a crash;
 * its cause is the refusal. The charge of a call without a response is refunded; any response is
 * settled, whatever its status. OkHttp's threads block while they wait.
 */
public final class LimitInterceptor implements Interceptor {
  private final RateLimiter limiter;
  private final Function<Request, @Nullable AcquireRequest> charge;
  private final @Nullable Duration maxWait;
  private final CostSettler<? super Response> settling;

  private LimitInterceptor(
      RateLimiter limiter,
      Function<Request, @Nullable AcquireRequest> charge,
      @Nullable Duration maxWait,
      CostSettler<? super Response> settling) {
    this.limiter = limiter;
    this.charge = charge;
    this.maxWait = maxWait;
    this.settling = settling;
  }

  /**
   * An interceptor that passes calls which the limiter admits.
   *
   * @param charge the charge of a request, null to send it without one
   */
  public static LimitInterceptor of(
      RateLimiter limiter, Function<Request, @Nullable AcquireRequest> charge) {
    return new LimitInterceptor(limiter, charge, null, CostSettler.asCharged());
  }

  /** The same, waiting up to {@code longest} for tokens. */
  public LimitInterceptor waiting(Duration longest) {
    return new LimitInterceptor(limiter, charge, longest, settling);
  }

  /** The same, settled by the response; its body is not read yet. */
  public LimitInterceptor settling(CostSettler<? super Response> how) {
    return new LimitInterceptor(limiter, charge, maxWait, how);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    AcquireRequest acquireRequest = charge.apply(chain.request());
    if (acquireRequest == null) {
      return chain.proceed(chain.request());
    }
    RateLimiter.Body<Response, IOException> sending = lease -> chain.proceed(chain.request());
    try {
      return CallLimiter.by(limiter, acquireRequest).waiting(maxWait).call(sending, settling);
    } catch (MillraceException e) {
      throw new IOException("not sent, the limiter refused: " + e.getMessage(), e);
    }
  }
}
