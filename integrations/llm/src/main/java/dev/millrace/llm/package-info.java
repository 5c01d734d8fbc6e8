/** A call of a language model, and what it used: the words of estimates, shapes and meters. */
@NullMarked
package dev.millrace.llm;

import org.jspecify.annotations.NullMarked;
