package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.AnswerCounts;
import dev.millrace.benchmarks.load.Growth;
import dev.millrace.benchmarks.load.Measurement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The figures of one run by name, and what they were made from. Immutable. */
public final class Result {
  private static final String SCENARIO = "scenario";
  private static final String PER_SECOND = "perSecond";
  private static final String MAX_OVER_ADMISSION = "maxOverAdmission";

  private final Measurement measured;
  private final Map<String, Object> figures;
  private final Map<String, Growth> growths;

  private Result(Measurement measured, Map<String, Object> figures, Map<String, Growth> growths) {
    this.measured = measured;
    this.figures = Collections.unmodifiableMap(figures);
    this.growths = Collections.unmodifiableMap(growths);
  }

  /** The figures that every scenario has. */
  public static Result of(
      String scenario, BackendKind backend, Measurement measured, double maxOverAdmission) {
    AnswerCounts counts = measured.counts();
    double requests = Math.max(1, counts.requests());
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put(SCENARIO, scenario);
    figures.put("backend", backend.toString());
    figures.put("seconds", Numbers.rounded(measured.seconds()));
    figures.put("requests", counts.requests());
    figures.put("admitted", counts.admitted());
    figures.put("refused", counts.refused());
    figures.put("failed", counts.failed());
    figures.put(PER_SECOND, Numbers.rounded(counts.admitted() / measured.seconds()));
    figures.put("p50Us", Numbers.rounded(measured.latencies().getValueAtPercentile(50) / 1e3));
    figures.put("p99Us", Numbers.rounded(measured.latencies().getValueAtPercentile(99) / 1e3));
    figures.put("writesPerRequest", Numbers.rounded(measured.spending().writes() / requests));
    figures.put("readsPerRequest", Numbers.rounded(measured.spending().reads() / requests));
    figures.put("lookUpsPerRequest", Numbers.rounded(measured.spending().lookUps() / requests));
    figures.put("wcuPerRequest", Numbers.rounded(measured.spending().writeUnits() / requests));
    figures.put("rcuPerRequest", Numbers.rounded(measured.spending().readUnits() / requests));
    figures.put(
        "lookUpRcuPerRequest", Numbers.rounded(measured.spending().lookUpUnits() / requests));
    figures.put(MAX_OVER_ADMISSION, Numbers.roundedFinely(maxOverAdmission));
    if (!measured.failures().isEmpty()) {
      figures.put("failures", new TreeMap<>(measured.failures()));
    }
    return new Result(measured, figures, Map.of());
  }

  /** The same with one more figure. */
  public Result with(String name, Number value) {
    return and(name, value instanceof Double number ? Numbers.rounded(number) : value);
  }

  /** The same with a word more about what was measured. */
  public Result with(String name, String value) {
    return and(name, value);
  }

  /** The same with counts by name. */
  public Result with(String name, Map<String, Long> counts) {
    return and(name, new TreeMap<>(counts));
  }

  /** The same with how a bucket was divided over time. */
  public Result with(String name, Growth growth) {
    Map<String, Growth> more = new LinkedHashMap<>(growths);
    more.put(name, growth);
    return new Result(measured, figures, more);
  }

  private Result and(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(figures);
    more.put(name, value);
    return new Result(measured, more, growths);
  }

  /** The same with another rate: of a part of the time, or of refusals. */
  public Result perSecond(double value) {
    return with(PER_SECOND, value);
  }

  /** The same after a further phase that admitted so much of what was allowed. */
  public Result worst(double maxOverAdmission) {
    return and(
        MAX_OVER_ADMISSION, Numbers.roundedFinely(Math.max(maxOverAdmission(), maxOverAdmission)));
  }

  /** The name of the scenario. */
  public String scenario() {
    return (String) figure(SCENARIO);
  }

  /** More than 1 means that more was admitted than is promised. */
  public double maxOverAdmission() {
    return ((Number) figure(MAX_OVER_ADMISSION)).doubleValue();
  }

  /** One figure, which must be there. */
  public Object figure(String name) {
    Object value = figures.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no figure '" + name + "' in " + figures.keySet());
    }
    return value;
  }

  /** How buckets were divided over time, by name. */
  public Map<String, Growth> growths() {
    return growths;
  }

  /** All figures in order, and what they were over time. */
  public Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>(figures);
    growths.forEach((name, growth) -> all.put(name, growth.seconds()));
    return all;
  }

  /** All figures in order. */
  public Map<String, Object> figures() {
    return figures;
  }

  /** What they were made from. */
  public Measurement measured() {
    return measured;
  }
}
