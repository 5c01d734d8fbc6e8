package dev.millrace.server.dashboard;

import dev.millrace.server.observability.LiveSnapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what a test admits and refuses, for the page. */
final class CountingLive {
  private static final int SECONDS = 300;
  private static final long SECOND_MS = 1_000;

  private final InstantSource clock;
  private final TreeMap<Long, long[]> seconds = new TreeMap<>();
  private final Map<String, Long> admitted = new TreeMap<>();
  private final Map<String, Long> refused = new TreeMap<>();

  CountingLive(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void count(String entity, boolean isAdmitted) {
    seconds
        .computeIfAbsent(clock.millis() / SECOND_MS, second -> new long[2])[isAdmitted ? 0 : 1]++;
    (isAdmitted ? admitted : refused).merge(entity, 1L, Long::sum);
    while (seconds.size() > SECONDS) {
      seconds.pollFirstEntry();
    }
  }

  synchronized LiveSnapshot snapshot() {
    long now = clock.millis();
    List<LiveSnapshot.Second> list = new ArrayList<>();
    for (long second = now / SECOND_MS - SECONDS; second < now / SECOND_MS; second++) {
      long[] counts = seconds.getOrDefault(second, new long[2]);
      list.add(new LiveSnapshot.Second(second, counts[0], counts[1]));
    }
    return new LiveSnapshot(now, list, 0.4, 3.2, tops(admitted), tops(refused));
  }

  private static List<LiveSnapshot.Top> tops(Map<String, Long> amounts) {
    return amounts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(each -> new LiveSnapshot.Top("default", each.getKey(), "gpt-4o", each.getValue()))
        .toList();
  }
}
