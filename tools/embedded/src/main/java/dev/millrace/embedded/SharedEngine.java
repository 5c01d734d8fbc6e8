package dev.millrace.embedded;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * One in-memory engine for all tests of a JVM: a start costs seconds, a table milliseconds.
 *
 * <p>Tests that start further processes pass them the endpoint, by {@link #ENDPOINT_PROPERTY} or
 * {@link #ENDPOINT_VARIABLE}; those then use this engine and start none.
 */
public final class SharedEngine {

  /** The system property that names an engine to use instead of starting one. */
  public static final String ENDPOINT_PROPERTY = "millrace.engine.endpoint";

  /** The environment variable that does the same; the property comes first. */
  public static final String ENDPOINT_VARIABLE = "MILLRACE_ENGINE_ENDPOINT";

  private static @Nullable EmbeddedDynamo started;

  private SharedEngine() {}

  /** The engine's endpoint; the first call starts it, the end of the JVM stops it. */
  public static synchronized URI endpoint() {
    String named = System.getProperty(ENDPOINT_PROPERTY, System.getenv(ENDPOINT_VARIABLE));
    if (named != null) {
      return parse(named);
    }
    EmbeddedDynamo engine = started;
    if (engine == null) {
      engine = EmbeddedDynamo.inMemory().onProgress(System.err::println).start();
      started = engine;
    }
    return engine.endpoint();
  }

  private static URI parse(String named) {
    URI endpoint = URI.create(named);
    if (endpoint.getScheme() == null || endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          "%s is not an address such as http://127.0.0.1:8000: %s"
              .formatted(ENDPOINT_PROPERTY, named));
    }
    return endpoint;
  }
}
