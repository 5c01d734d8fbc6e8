package dev.millrace.admin;

import dev.millrace.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a namespace besides limits.
 *
 * @param onUnavailable the answer of limiters when the store is unavailable, null to leave it to
 *     them
 * @param auditRetentionDays how long audit events are kept, null for the default of 90
 */
public record SystemSettings(
    @Nullable OnUnavailable onUnavailable, @Nullable Integer auditRetentionDays) {}
