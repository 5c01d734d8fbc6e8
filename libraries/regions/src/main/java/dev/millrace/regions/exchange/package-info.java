/** The transport of snapshots between regions. */
@NullMarked
package dev.millrace.regions.exchange;

import org.jspecify.annotations.NullMarked;
