/** The byte format of snapshots: written and read without being held as a whole. */
@NullMarked
package dev.millrace.regions.snapshot;

import org.jspecify.annotations.NullMarked;
