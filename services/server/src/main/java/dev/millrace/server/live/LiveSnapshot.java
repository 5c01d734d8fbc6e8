package dev.millrace.server.live;

import java.util.List;

/**
 * What the server does at this moment, and did in the last minutes.
 *
 * @param atMs when this was, in epoch milliseconds
 * @param seconds second by second, the oldest first
 * @param p50Ms how long half of the latest acquires took at most
 * @param p99Ms how long all but one in a hundred took at most
 * @param consumers who was admitted the most tokens, the most first
 * @param refused who was refused the most often, the most first
 */
public record LiveSnapshot(
    long atMs,
    List<Second> seconds,
    double p50Ms,
    double p99Ms,
    List<Top> consumers,
    List<Top> refused) {
  /** Keeps the lists as they are now. */
  public LiveSnapshot {
    seconds = List.copyOf(seconds);
    consumers = List.copyOf(consumers);
    refused = List.copyOf(refused);
  }

  /** How many acquires were answered in one second, and how. */
  public record Second(long epochSecond, long admitted, long refused) {}

  /** One of those at the top, with its tokens or its refusals. */
  public record Top(String namespace, String entity, String resource, long amount) {}
}
