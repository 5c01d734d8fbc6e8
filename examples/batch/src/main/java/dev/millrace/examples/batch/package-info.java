/** A batch job that waits for its limits, up to a deadline. */
@NullMarked
package dev.millrace.examples.batch;

import org.jspecify.annotations.NullMarked;
