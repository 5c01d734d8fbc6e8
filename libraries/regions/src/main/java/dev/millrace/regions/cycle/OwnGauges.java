package dev.millrace.regions.cycle;

/**
 * The state of the region's own bucket.
 *
 * @param balanceMilli the balance now, credited at the current rate
 * @param consumedMilli the consumption since the last cycle
 * @param elapsedMs the time since the last cycle
 * @param refused whether requests are known to have been refused since
 */
public record OwnGauges(long balanceMilli, long consumedMilli, long elapsedMs, boolean refused) {}
