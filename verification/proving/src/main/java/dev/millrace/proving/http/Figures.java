package dev.millrace.proving.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The figures of one kind of request.
 *
 * @param name which way
 * @param perSecond answers a second
 * @param p50Ms half of the answers took at most this
 * @param p99Ms all but one in a hundred
 * @param p999Ms all but one in a thousand
 * @param failed how many were not answered as they should be
 */
public record Figures(
    String name, double perSecond, double p50Ms, double p99Ms, double p999Ms, long failed) {
  private static final double MICROS = 1_000.0;

  static Figures of(String name, Histogram micros, double seconds, long failed) {
    return new Figures(
        name,
        micros.getTotalCount() / seconds,
        micros.getValueAtPercentile(50) / MICROS,
        micros.getValueAtPercentile(99) / MICROS,
        micros.getValueAtPercentile(99.9) / MICROS,
        failed);
  }

  /** For machines. */
  public Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("name", name);
    members.put("perSecond", perSecond);
    members.put("p50Ms", p50Ms);
    members.put("p99Ms", p99Ms);
    members.put("p999Ms", p999Ms);
    members.put("failed", failed);
    return members;
  }
}
