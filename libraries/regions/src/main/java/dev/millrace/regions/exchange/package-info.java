/** How snapshots come from one region to the others. */
@NullMarked
package dev.millrace.regions.exchange;

import org.jspecify.annotations.NullMarked;
