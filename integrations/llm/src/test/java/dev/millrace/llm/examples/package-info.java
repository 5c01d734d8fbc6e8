/** The examples of the guide, and that they are. */
@NullMarked
package dev.millrace.llm.examples;

import org.jspecify.annotations.NullMarked;
