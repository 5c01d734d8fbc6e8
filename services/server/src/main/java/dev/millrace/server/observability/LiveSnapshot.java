package dev.millrace.server.observability;

import java.util.List;

/**
 * The recent activity of the server.
 *
 * @param atMs the time of this snapshot, in epoch milliseconds
 * @param seconds the last minutes second by second, the oldest first
 * @param p50Ms the median duration of the latest acquires
 * @param p99Ms the 99th percentile of their duration
 * @param consumers the buckets with the most tokens admitted, the largest first
 * @param refused the buckets with the most refusals, the largest first
 */
public record LiveSnapshot(
    long atMs,
    List<Second> seconds,
    double p50Ms,
    double p99Ms,
    List<Top> consumers,
    List<Top> refused) {
  public LiveSnapshot {
    seconds = List.copyOf(seconds);
    consumers = List.copyOf(consumers);
    refused = List.copyOf(refused);
  }

  /** The number of acquires that were answered in one second. */
  public record Second(long epochSecond, long admitted, long refused) {}

  /** A bucket with its tokens or its refusals. */
  public record Top(String namespace, String entity, String resource, long amount) {}

  /** The same with the buckets of {@code namespace} alone. */
  public LiveSnapshot in(String namespace) {
    return new LiveSnapshot(
        atMs, seconds, p50Ms, p99Ms, in(namespace, consumers), in(namespace, refused));
  }

  private static List<Top> in(String namespace, List<Top> tops) {
    return tops.stream().filter(top -> top.namespace().equals(namespace)).toList();
  }
}
