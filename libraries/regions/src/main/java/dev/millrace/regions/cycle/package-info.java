/** What a region does with one limit in each window. Pure: it decides, others write. */
@NullMarked
package dev.millrace.regions.cycle;

import org.jspecify.annotations.NullMarked;
