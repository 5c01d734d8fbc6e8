/** Metrics, health, readiness, traces, logs, and live statistics of the server. */
@NullMarked
package dev.millrace.server.observability;

import org.jspecify.annotations.NullMarked;
