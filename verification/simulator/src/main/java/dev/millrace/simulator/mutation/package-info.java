/**
 * Deliberate faults, each of which a campaign must catch: what shows that the judges of a
 * simulation can see.
 */
@NullMarked
package dev.millrace.simulator.mutation;

import org.jspecify.annotations.NullMarked;
