/** Envoy's rate-limit service, and the file that maps its descriptors to buckets. */
@NullMarked
package dev.millrace.server.envoy;

import org.jspecify.annotations.NullMarked;
