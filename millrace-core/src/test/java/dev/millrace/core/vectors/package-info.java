/**
 * Comparison with facts recorded from the behaviour of the Python original: {@code shared/vectors}
 * beside the project. Where Millrace is deliberately better, the test says so.
 */
@NullMarked
package dev.millrace.core.vectors;

import org.jspecify.annotations.NullMarked;
