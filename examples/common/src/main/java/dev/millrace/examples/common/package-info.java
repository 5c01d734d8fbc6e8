/** What the examples have in common. */
@NullMarked
package dev.millrace.examples.common;

import org.jspecify.annotations.NullMarked;
