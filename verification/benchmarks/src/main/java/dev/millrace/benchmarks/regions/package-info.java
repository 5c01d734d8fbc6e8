/** One quota over several regions in simulated time: ours, and what else one might do. */
@NullMarked
package dev.millrace.benchmarks.regions;

import org.jspecify.annotations.NullMarked;
