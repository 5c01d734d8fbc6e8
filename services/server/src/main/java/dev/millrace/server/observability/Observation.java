package dev.millrace.server.observability;

import dev.millrace.LimiterListener;
import dev.millrace.LimiterMetrics;
import dev.millrace.adapters.micrometer.LimiterMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;

/** All that hears the limiters of a server: what is counted, shown live and traced. */
public final class Observation {
  private final LimiterMetrics totals = new LimiterMetrics();
  private final LimiterMeters counted;
  private final LiveStats live;
  private final GroupSpans groups = new GroupSpans();

  /** Counts in {@code meters}. */
  public Observation(MeterRegistry meters, InstantSource clock) {
    this.counted = new LimiterMeters(meters, totals);
    this.live = new LiveStats(clock);
  }

  /** Who hears the limiter of {@code namespace}. */
  public List<LimiterListener> listeners(String namespace) {
    return List.of(totals, counted, live.in(namespace), groups);
  }

  /** What happens right now. */
  public LiveStats live() {
    return live;
  }
}
