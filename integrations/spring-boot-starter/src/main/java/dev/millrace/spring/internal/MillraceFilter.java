package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.spring.MillraceProperties.HeaderPolicy;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A servlet filter that charges requests by the rules, and answers those that are refused: 429 with
 * {@code Retry-After}, {@code RateLimit} and a problem that names every limit.
 *
 * <p>The lease is settled when the response is complete; for asynchronous requests, when they
 * complete. A handler gets it with {@code @RequestAttribute("millrace.lease") Lease lease}.
 */
final class MillraceFilter extends OncePerRequestFilter {
  private final Supplier<RateLimiter> limiter;
  private final WebRuleTable rules;
  private final HeaderPolicy headers;

  MillraceFilter(Supplier<RateLimiter> limiter, WebRuleTable rules, HeaderPolicy headers) {
    this.limiter = limiter;
    this.rules = rules;
    this.headers = headers;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    WebCharge charge = rules.find(webRequest(request));
    if (charge == null) {
      chain.doFilter(request, response);
      return;
    }
    AcquireRequest acquireRequest;
    Lease lease;
    try {
      acquireRequest = charge.request();
      Acquisition answer = acquire(charge, acquireRequest);
      if (!(answer instanceof Acquisition.Granted granted)) {
        refuse(response, refusal(answer));
        return;
      }
      lease = granted.lease();
    } catch (WebCharge.UnchargeableException e) {
      refuse(response, e.refusal());
      return;
    } catch (LimiterUnavailableException e) {
      refuse(response, HttpRefusal.of(e));
      return;
    }
    pass(new ChargedRequest(charge, lease, response), acquireRequest, request, chain);
  }

  private static WebRequest webRequest(HttpServletRequest request) {
    return new WebRequest(
        request.getMethod(),
        request.getRequestURI().substring(request.getContextPath().length()),
        () -> header(Collections.list(request.getHeaderNames()), request::getHeader),
        () -> request.getUserPrincipal() == null ? null : request.getUserPrincipal().getName(),
        request.getRemoteAddr(),
        request);
  }

  private static Map<String, String> header(
      Collection<String> names, Function<String, String> firstValue) {
    Map<String, String> header = new LinkedCaseInsensitiveMap<>();
    for (String name : names) {
      header.put(name, firstValue.apply(name));
    }
    return header;
  }

  private Acquisition acquire(WebCharge charge, AcquireRequest acquireRequest)
      throws ServletException {
    if (charge.maxWait() == null) {
      return limiter.get().tryAcquire(acquireRequest);
    }
    try {
      return limiter.get().tryAcquire(acquireRequest, charge.maxWait());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServletException("interrupted while waiting for tokens", e);
    }
  }

  private void pass(
      ChargedRequest charged,
      AcquireRequest acquireRequest,
      HttpServletRequest request,
      FilterChain chain)
      throws ServletException, IOException {
    request.setAttribute(WebCharge.LEASE, charged.lease);
    boolean failed = true;
    try {
      if (headers == HeaderPolicy.ALWAYS) {
        LimitHeaders.now(limiter.get(), acquireRequest).forEach(charged.response::setHeader);
      }
      chain.doFilter(request, charged.response);
      failed = false;
    } finally {
      if (failed || !request.isAsyncStarted()) {
        charged.end(failed);
      } else {
        request.getAsyncContext().addListener(charged);
      }
    }
  }

  private static HttpRefusal refusal(Acquisition answer) {
    return answer instanceof Acquisition.Refused refused
        ? HttpRefusal.of(refused.rejection())
        : HttpRefusal.of(((Acquisition.Disabled) answer).disabled());
  }

  private static void refuse(HttpServletResponse response, HttpRefusal refusal) throws IOException {
    byte[] body = refusal.problem().json().getBytes(StandardCharsets.UTF_8);
    response.setStatus(refusal.status());
    response.setContentType(HttpProblem.MEDIA_TYPE);
    response.setHeader("cache-control", "no-store");
    refusal.fields().forEach(response::setHeader);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** A charged request, until it has ended. */
  private static final class ChargedRequest implements AsyncListener {
    private final WebCharge charge;
    private final Lease lease;
    private final HttpServletResponse response;
    private volatile boolean failed;

    ChargedRequest(WebCharge charge, Lease lease, HttpServletResponse response) {
      this.charge = charge;
      this.lease = lease;
      this.response = response;
    }

    /** Never throws: the response is complete, and the limiter counts and logs failed writes. */
    void end(boolean withException) {
      try {
        endOrThrow(withException);
      } catch (MillraceException e) {
        WebCharge.logNotSettled(lease, e);
      }
    }

    private void endOrThrow(boolean withException) {
      if (WebCharge.isRefunded(withException, response.isCommitted(), response.getStatus())) {
        lease.cancel();
        return;
      }
      charge
          .settling(
              response.getStatus(), () -> header(response.getHeaderNames(), response::getHeader))
          .settleOrLog(lease, response);
      lease.close();
    }

    @Override
    public void onComplete(AsyncEvent event) {
      end(failed);
    }

    @Override
    public void onError(AsyncEvent event) {
      failed = true;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      failed = true;
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
