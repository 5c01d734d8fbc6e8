/**
 * The limiter as a server: one port for HTTP, Envoy's rate-limit service and the page.
 *
 * <p>Its routes come from {@link dev.millrace.server.Feature}s, which do not know each other.
 */
@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
