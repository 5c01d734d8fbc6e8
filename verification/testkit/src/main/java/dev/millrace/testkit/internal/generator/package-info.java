/** Generators of random plans, records and calls, from seeds that a failure names. */
@NullMarked
package dev.millrace.testkit.internal.generator;

import org.jspecify.annotations.NullMarked;
