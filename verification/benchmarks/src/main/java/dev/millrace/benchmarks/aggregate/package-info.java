/** What the aggregator does with a stream, without a stream and without a store. */
@NullMarked
package dev.millrace.benchmarks.aggregate;

import org.jspecify.annotations.NullMarked;
