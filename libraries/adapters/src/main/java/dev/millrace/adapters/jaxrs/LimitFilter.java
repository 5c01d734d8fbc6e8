package dev.millrace.adapters.jaxrs;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.CostSettler;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JAX-RS filter that charges requests and answers those that are refused: 429 with {@code
 * Retry-After}, {@code RateLimit} and a problem that names every limit. The charge of a response of
 * 5xx is refunded, any other settled, with the adjustments that the resource made to the lease:
 * {@link #lease}.
 *
 * <p>An exception that is mapped to no response bypasses response filters in some servers; then the
 * charge stays. Register an {@code ExceptionMapper} where that matters.
 */
public final class LimitFilter implements ContainerRequestFilter, ContainerResponseFilter {
  private static final String LEASE = LimitFilter.class.getName() + ".lease";
  private static final String ACQUIRE_REQUEST = LimitFilter.class.getName() + ".acquireRequest";
  private static final int SERVER_ERROR = 500;

  private final RateLimiter limiter;
  private final Function<ContainerRequestContext, @Nullable AcquireRequest> charge;
  private final CostSettler<? super ContainerResponseContext> settling;
  private final boolean showsLimits;

  private LimitFilter(
      RateLimiter limiter,
      Function<ContainerRequestContext, @Nullable AcquireRequest> charge,
      CostSettler<? super ContainerResponseContext> settling,
      boolean showsLimits) {
    this.limiter = limiter;
    this.charge = charge;
    this.settling = settling;
    this.showsLimits = showsLimits;
  }

  /**
   * A filter that passes requests which the limiter admits.
   *
   * @param charge the charge of a request, null to pass it without one
   */
  public static LimitFilter of(
      RateLimiter limiter, Function<ContainerRequestContext, @Nullable AcquireRequest> charge) {
    return new LimitFilter(limiter, charge, CostSettler.asCharged(), /* showsLimits= */ false);
  }

  /** The same, settled by the response. */
  public LimitFilter settling(CostSettler<? super ContainerResponseContext> how) {
    return new LimitFilter(limiter, charge, how, showsLimits);
  }

  /**
   * The same; every response shows the state of the limits, not only refusals. That is one more
   * read of the store for each.
   */
  public LimitFilter withLimitHeaders() {
    return new LimitFilter(limiter, charge, settling, /* showsLimits= */ true);
  }

  /** The lease of a request, for resources that know its cost; null when it has none. */
  public static @Nullable Lease lease(ContainerRequestContext request) {
    return request.getProperty(LEASE) instanceof Lease lease ? lease : null;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    AcquireRequest acquireRequest = charge.apply(request);
    if (acquireRequest == null) {
      return;
    }
    try {
      Acquisition answer = limiter.tryAcquire(acquireRequest);
      if (answer instanceof Acquisition.Granted granted) {
        request.setProperty(LEASE, granted.lease());
        request.setProperty(ACQUIRE_REQUEST, acquireRequest);
      } else if (answer instanceof Acquisition.Refused refused) {
        abort(request, HttpRefusal.of(refused.rejection()));
      } else if (answer instanceof Acquisition.Disabled off) {
        abort(request, HttpRefusal.of(off.disabled()));
      }
    } catch (LimiterUnavailableException e) {
      abort(request, HttpRefusal.of(e));
    }
  }

  private static void abort(ContainerRequestContext request, HttpRefusal refusal) {
    Response.ResponseBuilder response =
        Response.status(refusal.status())
            .type(HttpProblem.MEDIA_TYPE)
            .header("cache-control", "no-store")
            .entity(refusal.problem().json());
    refusal.fields().forEach(response::header);
    request.abortWith(response.build());
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!(request.getProperty(LEASE) instanceof Lease lease)) {
      return;
    }
    if (response.getStatus() >= SERVER_ERROR) {
      lease.cancel();
      return;
    }
    settling.settleOrLog(lease, response);
    lease.close();
    if (showsLimits
        && request.getProperty(ACQUIRE_REQUEST) instanceof AcquireRequest acquireRequest) {
      LimitHeaders.now(limiter, acquireRequest)
          .forEach((name, value) -> response.getHeaders().putSingle(name, value));
    }
  }
}
