package dev.millrace.regions.cycle;

/**
 * How the region's own bucket stands.
 *
 * @param balanceMilli up to now, credited at the rate that it has
 * @param consumedMilli since the last cycle
 * @param elapsedMs since the last cycle
 * @param refused whether requests were refused since, as far as it is known
 */
public record OwnGauges(long balanceMilli, long consumedMilli, long elapsedMs, boolean refused) {}
