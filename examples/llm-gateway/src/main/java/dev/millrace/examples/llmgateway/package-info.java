/** A gateway in front of a language model. */
@NullMarked
package dev.millrace.examples.llmgateway;

import org.jspecify.annotations.NullMarked;
