package dev.millrace.proving.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.simulator.Campaign;
import dev.millrace.simulator.Event;
import dev.millrace.simulator.Report;
import dev.millrace.simulator.oracle.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a campaign, as text or as JSON. */
final class CampaignReport {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COLUMNS = 3;

  private final Campaign campaign;
  private final double seconds;

  CampaignReport(Campaign campaign, double seconds) {
    this.campaign = campaign;
    this.seconds = seconds;
  }

  String json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("from", campaign.firstSeed());
    report.put("seeds", campaign.seeds());
    report.put("seconds", seconds);
    report.put("acquires", campaign.acquires());
    report.put("acquiresPerSecond", rate(campaign.acquires()));
    report.put("events", campaign.events());
    report.put("eventsPerSecond", rate(campaign.events()));
    report.put("worstBurst", campaign.worstBurst());
    Map<String, Long> reached = new LinkedHashMap<>();
    for (Event event : Event.values()) {
      reached.put(event.name(), campaign.coverage().count(event));
    }
    report.put("reached", reached);
    report.put("missing", campaign.coverage().missing().stream().map(Event::name).toList());
    List<Map<String, Object>> failures = new ArrayList<>();
    for (Report failure : campaign.failures()) {
      failures.add(
          Map.of("seed", failure.seed(), "promise", promise(failure), "message", message(failure)));
    }
    report.put("failures", failures);
    try {
      return JSON.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings and numbers are always JSON", e);
    }
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d seeds from %d in %.1f s: %,d acquires (%,.0f a second), %,d events (%,.0f a"
                + " second)",
            campaign.seeds(),
            campaign.firstSeed(),
            seconds,
            campaign.acquires(),
            rate(campaign.acquires()),
            campaign.events(),
            rate(campaign.events())));
    lines.add(String.format(Locale.ROOT, "worst burst: %.4f of the bound", campaign.worstBurst()));
    lines.add("");
    lines.addAll(reached());
    lines.add("");
    for (Report failure : campaign.failures()) {
      lines.add("seed " + failure.seed() + " breaks " + promise(failure) + ": " + message(failure));
    }
    List<Event> missing = campaign.coverage().missing();
    if (!campaign.failures().isEmpty()) {
      lines.add("BROKEN: " + campaign.failures().size() + " histories break a promise");
    } else if (!missing.isEmpty()) {
      lines.add("NOT COVERED: never reached " + missing + "; give it more seeds");
    } else {
      lines.add("KEPT: every promise in every history; every fault and path was reached");
    }
    return lines;
  }

  private List<String> reached() {
    List<String> lines = new ArrayList<>();
    Event[] events = Event.values();
    int rows = (events.length + COLUMNS - 1) / COLUMNS;
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder();
      for (int i = row; i < events.length; i += rows) {
        String name = events[i].name().toLowerCase(Locale.ROOT).replace('_', ' ');
        line.append(
            String.format(
                Locale.ROOT, "%-28s%,12d    ", name, campaign.coverage().count(events[i])));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private double rate(long count) {
    return seconds == 0 ? 0 : count / seconds;
  }

  private static String promise(Report failure) {
    return failure.failure() instanceof Violation violation
        ? violation.promise().toString()
        : "no bugs";
  }

  private static String message(Report failure) {
    return String.valueOf(failure.failure());
  }
}
