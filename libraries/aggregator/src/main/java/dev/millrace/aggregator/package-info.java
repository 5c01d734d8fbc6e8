/**
 * Turns the table's stream into usage, growth and archives. {@link Aggregator} is what a shell
 * needs that has a stream at hand.
 */
@NullMarked
package dev.millrace.aggregator;

import org.jspecify.annotations.NullMarked;
