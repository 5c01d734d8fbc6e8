/** The allocation of shares to regions, and the gifts that follow. Pure, integers only. */
@NullMarked
package dev.millrace.regions.allocation;

import org.jspecify.annotations.NullMarked;
