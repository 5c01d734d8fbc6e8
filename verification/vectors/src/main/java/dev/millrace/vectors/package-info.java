/** Facts recorded from the behaviour of the Python original, for comparisons in tests. */
@NullMarked
package dev.millrace.vectors;

import org.jspecify.annotations.NullMarked;
