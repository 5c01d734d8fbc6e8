/** What the limiters of a run store their buckets in. */
@NullMarked
package dev.millrace.benchmarks.backend;

import org.jspecify.annotations.NullMarked;
