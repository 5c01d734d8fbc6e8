/** The format of snapshots, and the place where regions exchange them. */
@NullMarked
package dev.millrace.regions.internal.snapshot;

import org.jspecify.annotations.NullMarked;
