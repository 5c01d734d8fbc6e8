/** Waits and failures of tests. */
@NullMarked
package dev.millrace.testkit.internal;

import org.jspecify.annotations.NullMarked;
