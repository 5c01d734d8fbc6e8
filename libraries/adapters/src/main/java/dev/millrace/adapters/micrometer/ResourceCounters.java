package dev.millrace.adapters.micrometer;

import dev.millrace.BucketKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of outcomes by resource. */
final class ResourceCounters {
  static final String NAME = "millrace.acquires";

  /** The outcome of a request. */
  enum Outcome {
    /** Admitted and charged. */
    ADMITTED,
    /** Refused by a limit. */
    REFUSED,
    /** Refused because the entity or resource is disabled. */
    DISABLED,
    /** Failed because the store was unavailable. */
    BLOCKED,
    /** Admitted without a charge because the store was unavailable. */
    DEGRADED
  }

  private final MeterRegistry meters;
  private final BoundedLabels labels;
  private final Map<String, Map<Outcome, Counter>> counters = new ConcurrentHashMap<>();

  ResourceCounters(MeterRegistry meters, BoundedLabels labels) {
    this.meters = meters;
    this.labels = labels;
    counters.put(BoundedLabels.OTHER, of(BoundedLabels.OTHER));
  }

  private Map<Outcome, Counter> of(String resource) {
    Map<Outcome, Counter> all = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      all.put(
          outcome,
          meters.counter(
              NAME, "outcome", outcome.name().toLowerCase(Locale.ROOT), "resource", resource));
    }
    return all;
  }

  void count(BucketKey key, Outcome outcome) {
    Counter counter = counters.computeIfAbsent(labels.of(key.resource()), this::of).get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }
}
