/** A region's knowledge of the other regions, from the valid snapshots. */
@NullMarked
package dev.millrace.regions.peers;

import org.jspecify.annotations.NullMarked;
