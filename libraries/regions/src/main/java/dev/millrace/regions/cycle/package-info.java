/** The step of a region for one limit in each window. Pure: other packages write. */
@NullMarked
package dev.millrace.regions.cycle;

import org.jspecify.annotations.NullMarked;
