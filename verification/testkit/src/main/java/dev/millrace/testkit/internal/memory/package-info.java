/** The parts of the stores in memory, and the rules by which they answer. */
@NullMarked
package dev.millrace.testkit.internal.memory;

import org.jspecify.annotations.NullMarked;
