/** Regions under every fault, from a seed. */
@NullMarked
package dev.millrace.regions.sim;

import org.jspecify.annotations.NullMarked;
