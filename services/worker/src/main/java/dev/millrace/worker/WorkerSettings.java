package dev.millrace.worker;

import dev.millrace.aggregator.AggregatorSettings;
import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.DeadLetters;
import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.worker.kcl.StreamSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker.
 *
 * @param table the table with the stream
 * @param archive of audit events, null for none
 * @param growth the rules for dividing and merging buckets, null to leave that to the limiters
 */
public record WorkerSettings(
    String table,
    StreamSettings stream,
    AggregatorSettings usage,
    DeadLetters deadLetters,
    @Nullable AuditArchive archive,
    @Nullable GrowthSettings growth) {}
