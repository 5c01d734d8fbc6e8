package dev.millrace;

/**
 * What the cache of stored configuration did since the limiter was created.
 *
 * @param hits records that were found in it
 * @param negativeHits records that were known not to exist
 * @param misses records that had to be looked up
 * @param evictions records that were forgotten because of their number or age
 * @param size how many records it holds
 */
public record ConfigCacheStats(
    long hits, long negativeHits, long misses, long evictions, long size) {}
