package dev.millrace.server.envoy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is counted. Names of domains and rules come from the mapping alone, so there are at most as
 * many as a file may have; those of a file that holds no more are forgotten.
 */
final class EnvoyMeters {
  static final String DECISIONS = "millrace.envoy.decisions";
  static final String UNKNOWN = "millrace.envoy.unknown";
  static final String RELOADS = "millrace.envoy.reloads";

  private record RuleKey(String domain, String rule, Verdict.Outcome outcome) {}

  private final MeterRegistry meters;
  private final Counter unknownDomains;
  private final Counter unknownDescriptors;
  private final Counter goodReloads;
  private final Counter badReloads;
  private volatile Map<RuleKey, Counter> decisions = Map.of();

  EnvoyMeters(MeterRegistry meters) {
    this.meters = meters;
    this.unknownDomains = counter(UNKNOWN, "what", "domain");
    this.unknownDescriptors = counter(UNKNOWN, "what", "descriptor");
    this.goodReloads = counter(RELOADS, "outcome", "good");
    this.badReloads = counter(RELOADS, "outcome", "bad");
  }

  private Counter counter(String name, String... labels) {
    return Counter.builder(name).tags(labels).register(meters);
  }

  /** Counts for the rules of {@code mapping} from now on. */
  synchronized void use(Mapping mapping) {
    Map<RuleKey, Counter> now = new HashMap<>();
    for (Domain domain : mapping.domains().values()) {
      for (Rule rule : domain.rules()) {
        for (Verdict.Outcome outcome : Verdict.Outcome.values()) {
          now.put(
              new RuleKey(domain.name(), rule.name(), outcome),
              counter(
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
    (good ? goodReloads : badReloads).increment();
  }

  void unknownDomain() {
    unknownDomains.increment();
  }

  void unknownDescriptor() {
    unknownDescriptors.increment();
  }

  void decided(String domain, String rule, Verdict.Outcome outcome) {
    Counter counter = decisions.get(new RuleKey(domain, rule, outcome));
    if (counter != null) { // else the mapping has changed meanwhile
      counter.increment();
    }
  }
}
