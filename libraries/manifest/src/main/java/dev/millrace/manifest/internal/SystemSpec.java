package dev.millrace.manifest.internal;

import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of the whole namespace; null leaves a field as it is.
 *
 * @param limits its limits
 * @param onUnavailable the answer of limiters when the store is unavailable
 * @param auditRetentionDays how long audit events are kept
 */
public record SystemSpec(
    @Nullable LimitSet limits,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Integer auditRetentionDays) {}
