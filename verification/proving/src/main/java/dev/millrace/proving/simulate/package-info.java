/** The command that runs campaigns of simulations. */
@NullMarked
package dev.millrace.proving.simulate;

import org.jspecify.annotations.NullMarked;
