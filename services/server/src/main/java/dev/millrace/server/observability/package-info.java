/** What the server tells about itself: metrics, health, traces, logs and what happens right now. */
@NullMarked
package dev.millrace.server.observability;

import org.jspecify.annotations.NullMarked;
