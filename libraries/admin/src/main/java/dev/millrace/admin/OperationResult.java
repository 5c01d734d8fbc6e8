package dev.millrace.admin;

import java.time.Instant;

/**
 * The result of an operation on a bucket.
 *
 * @param operationId the id of the operation
 * @param doneBefore whether it had been done under this id already; then nothing was done now
 * @param shards the number of shards written when it was done, 0 when there was no bucket: a
 *     missing bucket counts as full
 * @param at the time when it was done
 */
public record OperationResult(String operationId, boolean doneBefore, int shards, Instant at) {}
