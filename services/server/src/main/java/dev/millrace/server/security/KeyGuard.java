package dev.millrace.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.WatchedFile;
import dev.millrace.server.json.ProblemException;
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
 * A guard that requires a key, {@code Authorization: Bearer mlr_…}, or a client certificate of a
 * trusted authority. Callers are limited in their rate by name, requests without a valid key by
 * address. Invalid keys do not shut out valid ones from the same address.
 */
public final class KeyGuard extends Guard implements AutoCloseable {
  /** Most failures of one address in a second before they get 429 instead of 401. */
  private static final int MAX_FAILURES_PER_SECOND = 10;

  private static final String SCHEME = "bearer ";
  private static final int MAX_KEY = 200;

  private final WatchedFile<KeyRing> keys;
  private final InstantSource clock;
  private final RequestRates requests;
  private final RequestRates failures = new RequestRates(MAX_FAILURES_PER_SECOND);
  private final Counter refused;

  /**
   * A guard with the keys of {@code keys}, which it closes.
   *
   * @param maxPerSecond most requests of one caller in a second
   */
  public KeyGuard(
      WatchedFile<KeyRing> keys, int maxPerSecond, InstantSource clock, MeterRegistry meters) {
    this.keys = keys;
    this.clock = clock;
    this.requests = new RequestRates(maxPerSecond);
    this.refused = meters.counter("millrace.server.unauthenticated");
  }

  @Override
  protected Caller identify(ServiceRequestContext context, RequestHeaders headers) {
    Instant now = clock.instant();
    KeyRing.Entry entry = entry(context, headers);
    if (entry == null || !entry.isValidAt(now)) {
      refused.increment();
      if (!failures.admits(context.remoteAddress().getAddress().getHostAddress(), now)) {
        throw busy("Too many requests without a good key from this address");
      }
      throw ProblemException.of(
          401, "unauthenticated", "A key is needed, and this is none that is good now");
    }
    if (!requests.admits(entry.caller().name(), now)) {
      throw busy("This key asks this server too often");
    }
    return entry.caller();
  }

  private static ProblemException busy(String title) {
    return ProblemException.of(429, "server-busy", title).with("retryAfterSeconds", 1);
  }

  private KeyRing.@Nullable Entry entry(ServiceRequestContext context, RequestHeaders headers) {
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (authorization == null) {
      return ofCertificate(context.sslSession());
    }
    if (authorization.length() > MAX_KEY
        || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return null;
    }
    String key = authorization.substring(SCHEME.length()).strip();
    return key.startsWith(KeyRing.PREFIX) ? keys.value().ofKey(key) : null;
  }

  private KeyRing.@Nullable Entry ofCertificate(@Nullable SSLSession session) {
    if (session == null || !keys.value().hasCertificates()) {
      return null;
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate own
          ? keys.value().ofSubject(own.getSubjectX500Principal().getName())
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
