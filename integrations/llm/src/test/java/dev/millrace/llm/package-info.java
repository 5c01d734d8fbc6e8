/** Tests of estimates, shapes and meters. */
@NullMarked
package dev.millrace.llm;

import org.jspecify.annotations.NullMarked;
