package dev.millrace.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Lets those in who bring a key, {@code Authorization: Bearer mlr_…}, or a certificate that an
 * authority vouches for whom the server trusts. Whoever asks too often is sent away: callers by
 * name, those who bring no good key by address. A bad key does not shut out good ones that come
 * from the same address.
 */
public final class KeyGuard extends IdentifyingGuard implements AutoCloseable {
  /** Most failures of one address in a second before they are answered differently. */
  static final int MAX_FAILURES_PER_SECOND = 10;

  private static final String SCHEME = "bearer ";
  private static final int MAX_KEY = 200;

  private final KeyFile keys;
  private final InstantSource clock;
  private final Rates requests;
  private final Rates failures;
  private final Counter refused;

  /**
   * A guard that knows the keys of {@code keys}, and closes it.
   *
   * @param maxPerSecond most requests of one caller in a second
   */
  public KeyGuard(KeyFile keys, int maxPerSecond, InstantSource clock, MeterRegistry meters) {
    this.keys = keys;
    this.clock = clock;
    this.requests = new Rates(maxPerSecond);
    this.failures = new Rates(MAX_FAILURES_PER_SECOND);
    this.refused = meters.counter("millrace.server.unauthenticated");
  }

  @Override
  Caller identify(ServiceRequestContext context, RequestHeaders headers) {
    Instant now = clock.instant();
    KeyEntry entry = entry(context, headers);
    if (entry == null || !entry.holdsAt(now)) {
      refused.increment();
      if (!failures.admits(context.remoteAddress().getAddress().getHostAddress(), now)) {
        throw busy("Too many requests without a good key from this address");
      }
      throw new ProblemException(
          HttpProblem.of(
              401, "unauthenticated", "A key is needed, and this is none that is good now"));
    }
    if (!requests.admits(entry.caller().name(), now)) {
      throw busy("This key asks this server too often");
    }
    return entry.caller();
  }

  private static ProblemException busy(String title) {
    return new ProblemException(
        HttpProblem.of(429, "server-busy", title).with("retryAfterSeconds", 1));
  }

  private @Nullable KeyEntry entry(ServiceRequestContext context, RequestHeaders headers) {
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (authorization == null) {
      return ofCertificate(context.sslSession());
    }
    if (authorization.length() > MAX_KEY
        || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return null;
    }
    String key = authorization.substring(SCHEME.length()).strip();
    return key.startsWith(KeyRing.PREFIX) ? keys.ring().ofKey(key) : null;
  }

  private @Nullable KeyEntry ofCertificate(@Nullable SSLSession session) {
    if (session == null || !keys.ring().hasCertificates()) {
      return null;
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate own
          ? keys.ring().ofSubject(own.getSubjectX500Principal().getName())
          : null;
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  @Override
  public void close() {
    keys.close();
  }
}
