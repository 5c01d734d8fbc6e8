package dev.millrace.worker;

import dev.millrace.aggregator.AggregatorSettings;
import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.DeadLetters;
import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.worker.kcl.StreamSettings;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does.
 *
 * @param table whose stream
 * @param archive where audit events are kept, null for nowhere
 * @param growth when buckets are divided and merged, null for not by the worker
 */
public record WorkerSettings(
    String table,
    StreamSettings stream,
    AggregatorSettings usage,
    DeadLetters deadLetters,
    @Nullable AuditArchive archive,
    @Nullable GrowthSettings growth) {}
