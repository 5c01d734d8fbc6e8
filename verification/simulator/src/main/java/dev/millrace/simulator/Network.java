package dev.millrace.simulator;

import java.util.HashMap;
import java.util.Map;

/** The state that all wires share: the weather, and the nodes that are cut off. */
final class Network {
  private final Loop loop;
  private final Map<String, Long> cutOffUntilNanos = new HashMap<>();
  private Weather weather;
  private boolean healed;
  private long numbers;

  Network(Loop loop, Weather weather) {
    this.loop = loop;
    this.weather = weather;
  }

  Weather weather() {
    return weather;
  }

  /** The weather changes, unless it is fair for good. */
  void weather(Weather now) {
    if (!healed) {
      this.weather = now;
    }
  }

  /** Nothing of this node gets through for a while. */
  void cutOff(String node, long nanos) {
    cutOffUntilNanos.put(node, loop.nowNanos() + nanos);
  }

  boolean isPartitioned(String node) {
    return cutOffUntilNanos.getOrDefault(node, 0L) > loop.nowNanos();
  }

  /** Whether some of the time since {@code sinceNanos} nothing of this node got through. */
  boolean wasPartitionedSince(String node, long sinceNanos) {
    return cutOffUntilNanos.getOrDefault(node, 0L) > sinceNanos;
  }

  /** From now on nothing goes wrong any more. */
  void heal() {
    weather = Weather.fair(weather.halfTripMicros());
    healed = true;
    cutOffUntilNanos.replaceAll((node, until) -> Math.min(until, loop.nowNanos()));
  }

  /** Whether nothing goes wrong any more. */
  boolean isHealed() {
    return healed;
  }

  long nextNumber() {
    return numbers++;
  }
}
