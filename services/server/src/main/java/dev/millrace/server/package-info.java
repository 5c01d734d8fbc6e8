/**
 * The limiter as a server: one port for HTTP, Envoy's rate-limit service and the page.
 *
 * <p>What it serves comes as {@link dev.millrace.server.Feature}s, each of which knows nothing of
 * the others.
 */
@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
