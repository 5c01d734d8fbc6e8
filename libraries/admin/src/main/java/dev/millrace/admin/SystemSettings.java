package dev.millrace.admin;

import dev.millrace.core.request.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a namespace besides limits.
 *
 * @param onUnavailable what limiters answer when the store is away, null to leave it to them
 * @param auditRetentionDays how long audit events are kept, null for the default of 90
 */
public record SystemSettings(
    @Nullable OnUnavailable onUnavailable, @Nullable Integer auditRetentionDays) {}
