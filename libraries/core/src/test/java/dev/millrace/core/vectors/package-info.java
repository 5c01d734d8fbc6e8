/**
 * Comparison with facts recorded from the behaviour of the Python original, those of {@code
 * millrace-vectors}. Where Millrace is deliberately better, the test says so.
 */
@NullMarked
package dev.millrace.core.vectors;

import org.jspecify.annotations.NullMarked;
