package dev.millrace.admin;

import java.time.Instant;

/**
 * What came of an operation on a bucket.
 *
 * @param operationId the id under which it was asked for
 * @param doneBefore whether it had been done under this id already; then nothing was done now
 * @param shards how many shards were written when it was done, 0 when there was no bucket: one that
 *     is not there counts as full
 * @param at when it was done
 */
public record OperationResult(String operationId, boolean doneBefore, int shards, Instant at) {}
