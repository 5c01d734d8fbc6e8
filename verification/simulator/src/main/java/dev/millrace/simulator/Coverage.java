package dev.millrace.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the occurrences of each {@link Event}. */
public final class Coverage {
  private final Map<Event, Long> counts = new EnumMap<>(Event.class);

  /** Counts one more. */
  public void saw(Event event) {
    counts.merge(event, 1L, Long::sum);
  }

  /** Counts {@code times} more. */
  void saw(Event event, long times) {
    counts.merge(event, times, Long::sum);
  }

  /** Adds everything that another one has seen. */
  public void add(Coverage other) {
    other.counts.forEach((event, count) -> counts.merge(event, count, Long::sum));
  }

  /** How often {@code event} was seen. */
  public long count(Event event) {
    return counts.getOrDefault(event, 0L);
  }

  /** What was never seen. */
  public List<Event> missing() {
    List<Event> missing = new ArrayList<>();
    for (Event event : Event.values()) {
      if (count(event) == 0) {
        missing.add(event);
      }
    }
    return missing;
  }
}
