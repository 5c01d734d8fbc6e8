/**
 * Envoy's rate-limit service: a file says which descriptors draw on which buckets, and the limiter
 * decides.
 */
@NullMarked
package dev.millrace.server.envoy;

import org.jspecify.annotations.NullMarked;
