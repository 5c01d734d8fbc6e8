/** A call of a language model and its usage, as estimates, shapes and meters use them. */
@NullMarked
package dev.millrace.llm;

import org.jspecify.annotations.NullMarked;
