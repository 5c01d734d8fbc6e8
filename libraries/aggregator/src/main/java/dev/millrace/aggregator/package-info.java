/**
 * The processing of the table's stream into usage, growth and archives. {@link Aggregator} is the
 * entry point for a process that reads the stream.
 */
@NullMarked
package dev.millrace.aggregator;

import org.jspecify.annotations.NullMarked;
