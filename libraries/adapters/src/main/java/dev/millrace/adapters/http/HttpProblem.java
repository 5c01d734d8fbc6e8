package dev.millrace.adapters.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem as RFC 9457 defines it.
 *
 * @param status the status of the response
 * @param type its kind, the last part of a URI; the list is in {@code docs/guide/server.md}
 * @param title the kind in words, the same for all of the kind
 * @param members the details, by name; may have {@code detail}
 */
public record HttpProblem(int status, String type, String title, Map<String, Object> members) {
  /** The prefix of {@link #type()}. */
  public static final String TYPE_PREFIX = "urn:millrace:problem:";

  /** Copies the members, in their order. */
  public HttpProblem {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The {@code Content-Type} of a response with it. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** A problem without details. */
  public static HttpProblem of(int status, String type, String title) {
    return new HttpProblem(status, type, title, Map.of());
  }

  /** The same with a sentence about this one: the error, and its remedy. */
  public HttpProblem detail(String detail) {
    return with("detail", detail);
  }

  /** The same with one more member. */
  public HttpProblem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new HttpProblem(status, type, title, more);
  }

  /** All members in the order in which they are written: type, title, status, details. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", TYPE_PREFIX + type);
    all.put("title", title);
    all.put("status", status);
    all.putAll(members);
    return all;
  }

  /** {@link #all()} as JSON on one line. */
  public String json() {
    return ProblemJson.of(all());
  }
}
