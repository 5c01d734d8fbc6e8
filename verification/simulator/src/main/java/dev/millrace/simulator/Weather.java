package dev.millrace.simulator;

/**
 * The faults of the network: how many of a thousand calls meet each.
 *
 * @param halfTripMicros the mean way of a call to the table, and back
 * @param lostRequests never arrive
 * @param lostReplies were made, and the answer is lost
 * @param resets were made, and the connection breaks at once instead of an answer
 * @param late arrive when the caller has given up
 * @param slow take a hundred times as long
 * @param throttled are turned away by the table
 * @param unreachable find no connection
 * @param conflicts meet a transaction of somebody else; only writes do
 * @param stale look-ups that need not be consistent, of a record that was just changed
 */
public record Weather(
    long halfTripMicros,
    int lostRequests,
    int lostReplies,
    int resets,
    int late,
    int slow,
    int throttled,
    int unreachable,
    int conflicts,
    int stale) {
  /** Nothing goes wrong. */
  public static Weather fair(long halfTripMicros) {
    return new Weather(halfTripMicros, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** One kind of trouble or several, as {@code chance} has it. */
  public static Weather foul(Chance chance, long halfTripMicros) {
    return new Weather(
        halfTripMicros,
        rate(chance),
        rate(chance),
        rate(chance),
        rate(chance),
        rate(chance),
        rate(chance),
        rate(chance),
        rate(chance),
        chance.oneOf(0, 300));
  }

  private static int rate(Chance chance) {
    return chance.oneOf(0, 0, 3, 15, 60);
  }
}
