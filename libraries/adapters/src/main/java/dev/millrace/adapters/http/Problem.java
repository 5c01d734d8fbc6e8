package dev.millrace.adapters.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem as RFC 9457 writes it.
 *
 * @param status the status of the answer
 * @param type what kind, the last part of a URI; the list is in {@code docs/guide/server.md}
 * @param title what kind in words, the same for all of the kind
 * @param members what varies, by name; may have {@code detail}
 */
public record Problem(int status, String type, String title, Map<String, Object> members) {
  /** What comes before {@link #type()}. */
  public static final String TYPE_PREFIX = "urn:millrace:problem:";

  /** Keeps the members as they are now, in their order. */
  public Problem {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** What an answer with it is, {@code Content-Type}. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** A problem with nothing that varies. */
  public static Problem of(int status, String type, String title) {
    return new Problem(status, type, title, Map.of());
  }

  /** The same with a sentence about this one: what is wrong, and what to do. */
  public Problem detail(String detail) {
    return with("detail", detail);
  }

  /** The same with one more member. */
  public Problem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(status, type, title, more);
  }

  /** All members in the order in which they are written: type, title, status, what varies. */
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
