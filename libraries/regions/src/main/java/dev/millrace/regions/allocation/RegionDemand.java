package dev.millrace.regions.allocation;

/**
 * The known state of one region when shares are decided.
 *
 * @param region its name
 * @param sharePpm its share, including what is on its way to it
 * @param consumedMilli its consumption in one window
 * @param availableMilli what it could have consumed in it
 * @param balanceMilli its balance now
 * @param refused whether requests were refused meanwhile
 * @param presence whether it takes part
 */
public record RegionDemand(
    String region,
    long sharePpm,
    long consumedMilli,
    long availableMilli,
    long balanceMilli,
    boolean refused,
    Presence presence) {
  /** The participation of a region. */
  public enum Presence {
    /** Its needs are known. */
    PRESENT,
    /** It was silent for too long: it needs nothing, and keeps what it has. */
    STALE,
    /** It gives away all it has, because it is to be closed. */
    DRAINING
  }

  /** A region that needs nothing and keeps what it has. */
  public static RegionDemand stale(String region, long sharePpm) {
    return new RegionDemand(region, sharePpm, 0, 0, 0, false, Presence.STALE);
  }
}
