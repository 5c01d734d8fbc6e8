/** Tests of shapes. */
@NullMarked
package dev.millrace.llm.shape;

import org.jspecify.annotations.NullMarked;
