package dev.millrace.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of a change.
 *
 * @param changed whether anything differs from before. A change without effect still completes the
 *     update of the buckets, so that repeating a change whose process died completes it
 * @param buckets the job that brings existing buckets to the change, null when the change does not
 *     concern them
 */
public record ChangeResult(boolean changed, @Nullable JobView buckets) {}
