package dev.millrace.worker;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.worker.kcl.StreamSettings;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker.
 *
 * @param table the table with the stream
 * @param zones the time zones whose usage is counted besides that of UTC
 * @param archive of audit events, null for none
 * @param growth whether the worker divides and merges buckets
 */
public record WorkerSettings(
    String table,
    StreamSettings stream,
    Set<ZoneId> zones,
    Consumer<List<DeadLetter>> deadLetters,
    @Nullable Consumer<List<AuditEvent>> archive,
    boolean growth) {}
