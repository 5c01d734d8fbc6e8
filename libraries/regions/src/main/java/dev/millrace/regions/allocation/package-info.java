/** Who should hold how much, and who therefore gives to whom. Pure, integers only. */
@NullMarked
package dev.millrace.regions.allocation;

import org.jspecify.annotations.NullMarked;
