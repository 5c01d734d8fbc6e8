/** Which limit is charged for which part of what a call used. */
@NullMarked
package dev.millrace.llm.shape;

import org.jspecify.annotations.NullMarked;
