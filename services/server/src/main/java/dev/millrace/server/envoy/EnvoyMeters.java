package dev.millrace.server.envoy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics of Envoy's service. Names of domains and rules come from the mapping alone, so their
 * number is bounded; the counters of a replaced mapping are removed.
 */
final class EnvoyMeters {
  static final String DECISIONS = "millrace.envoy.decisions";
  static final String UNKNOWN = "millrace.envoy.unknown";
  static final String RELOADS = "millrace.envoy.reloads";

  private record RuleKey(String domain, String rule, DescriptorDecision.Outcome outcome) {}

  private final MeterRegistry meters;
  private volatile Map<RuleKey, Counter> decisions = Map.of();

  EnvoyMeters(MeterRegistry meters) {
    this.meters = meters;
    List.of("domain", "descriptor").forEach(what -> meters.counter(UNKNOWN, "what", what));
    List.of("good", "bad").forEach(outcome -> meters.counter(RELOADS, "outcome", outcome));
  }

  /** Counts for the rules of {@code mapping} from now on. */
  synchronized void use(EnvoyMapping mapping) {
    Map<RuleKey, Counter> now = new HashMap<>();
    for (EnvoyMapping.Domain domain : mapping.domains().values()) {
      for (EnvoyMapping.Rule rule : domain.rules()) {
        for (DescriptorDecision.Outcome outcome : DescriptorDecision.Outcome.values()) {
          now.put(
              new RuleKey(domain.name(), rule.name(), outcome),
              meters.counter(
                  DECISIONS,
                  "domain",
                  domain.name(),
                  "rule",
                  rule.name(),
                  "outcome",
                  outcome.name().toLowerCase(Locale.ROOT)));
        }
      }
    }
    Map<RuleKey, Counter> before = decisions;
    decisions = now;
    before.forEach(
        (key, counter) -> {
          if (!now.containsKey(key)) {
            meters.remove(counter);
          }
        });
  }

  void reloaded(boolean good) {
    meters.counter(RELOADS, "outcome", good ? "good" : "bad").increment();
  }

  /** Counts a {@code domain} or {@code descriptor} without a rule. */
  void unknown(String what) {
    meters.counter(UNKNOWN, "what", what).increment();
  }

  void decided(String domain, String rule, DescriptorDecision.Outcome outcome) {
    Counter counter = decisions.get(new RuleKey(domain, rule, outcome));
    if (counter != null) { // null after a change of the mapping
      counter.increment();
    }
  }
}
