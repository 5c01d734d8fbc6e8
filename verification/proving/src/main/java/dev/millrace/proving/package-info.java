/** The proving ground: what only shows under kills, in real processes or in simulated ones. */
@NullMarked
package dev.millrace.proving;

import org.jspecify.annotations.NullMarked;
