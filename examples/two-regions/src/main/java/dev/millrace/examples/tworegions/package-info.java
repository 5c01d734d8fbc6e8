/** Two regions that share one quota. */
@NullMarked
package dev.millrace.examples.tworegions;

import org.jspecify.annotations.NullMarked;
