/** Callers, the course of a run, and what it yields. */
@NullMarked
package dev.millrace.benchmarks.load;

import org.jspecify.annotations.NullMarked;
