/** The Micrometer meters of limiters. */
@NullMarked
package dev.millrace.adapters.micrometer;

import org.jspecify.annotations.NullMarked;
