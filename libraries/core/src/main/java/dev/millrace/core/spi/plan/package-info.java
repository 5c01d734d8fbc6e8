/** Writes as values, and the planner that chooses them. */
@NullMarked
package dev.millrace.core.spi.plan;

import org.jspecify.annotations.NullMarked;
