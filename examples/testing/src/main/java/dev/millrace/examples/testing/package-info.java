/** What the tests of the examples have in common. */
@NullMarked
package dev.millrace.examples.testing;

import org.jspecify.annotations.NullMarked;
