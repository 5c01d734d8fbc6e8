/** Checks what was admitted, and when, against what the limits allow. */
@NullMarked
package dev.millrace.benchmarks.meter;

import org.jspecify.annotations.NullMarked;
