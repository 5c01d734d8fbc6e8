/** Brings the ledgers, the buckets and the snapshots of a region together, window by window. */
@NullMarked
package dev.millrace.regions.sync;

import org.jspecify.annotations.NullMarked;
