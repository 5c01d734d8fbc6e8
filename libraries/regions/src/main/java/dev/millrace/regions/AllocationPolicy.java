package dev.millrace.regions;

import dev.millrace.regions.internal.ledger.Ppm;
import java.time.Duration;

/**
 * The settings of the allocation. All regions must have the same policy; if not, nothing breaks,
 * but what one gives another gives back.
 *
 * @param windowMs how often snapshots are exchanged
 * @param staleAfterMs the age from which a snapshot is no longer a sign of demand
 * @param floorPpm the share that every region keeps, so that it can start at once
 * @param offPpm how far shares may be off their targets when no region runs dry
 * @param leastGiftPpm the smallest gift that is worth a write
 */
public record AllocationPolicy(
    long windowMs, long staleAfterMs, int floorPpm, int offPpm, int leastGiftPpm) {
  /** A window of 10 s, five minutes, 1 %, 15 %, 0.5 %. */
  public static final AllocationPolicy DEFAULT =
      new AllocationPolicy(10_000, Duration.ofMinutes(5).toMillis(), 10_000, 150_000, 5_000);

  public AllocationPolicy {
    require("window", windowMs, 100, Duration.ofHours(1).toMillis());
    require("stale after", staleAfterMs, windowMs, Duration.ofDays(1).toMillis());
    require("floor", floorPpm, 0, Ppm.WHOLE / 2);
    require("off", offPpm, 0, Ppm.WHOLE);
    require("least gift", leastGiftPpm, 1, Ppm.WHOLE);
  }

  private static void require(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          field + " " + value + " must be from " + least + " to " + most);
    }
  }

  /** The share that each of this many regions keeps: half of the whole remains to be moved. */
  public int floorPpm(int regions) {
    return Math.min(floorPpm, Ppm.WHOLE / (2 * regions));
  }
}
