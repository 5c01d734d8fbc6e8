/** The window-by-window update of a region's ledgers, buckets and snapshots. */
@NullMarked
package dev.millrace.regions.sync;

import org.jspecify.annotations.NullMarked;
