package dev.millrace.manifest;

import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of the whole namespace; what is null is left as it is.
 *
 * @param limits its limits
 * @param onUnavailable what limiters answer when the store is away
 * @param auditRetentionDays how long audit events are kept
 */
public record SystemSpec(
    @Nullable LimitSet limits,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Integer auditRetentionDays) {}
