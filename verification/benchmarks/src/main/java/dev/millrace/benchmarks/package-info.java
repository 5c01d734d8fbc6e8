/** The bench command: load on limiters, measured. */
@NullMarked
package dev.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
