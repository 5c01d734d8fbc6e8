package dev.millrace.admin;

import org.jspecify.annotations.Nullable;

/**
 * What came of a change.
 *
 * @param changed whether anything is other than before. A change of nothing still looks after the
 *     buckets, so that repeating a change whose process died brings it to its end
 * @param buckets the work of bringing the existing buckets to it, null when the change does not
 *     concern them
 */
public record ChangeResult(boolean changed, @Nullable JobResult buckets) {}
