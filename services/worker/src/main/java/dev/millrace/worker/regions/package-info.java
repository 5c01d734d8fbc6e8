/** The exchange between regions, window by window, beside a worker or alone. */
@NullMarked
package dev.millrace.worker.regions;

import org.jspecify.annotations.NullMarked;
