/** Tests of the meter. */
@NullMarked
package dev.millrace.llm.meter;

import org.jspecify.annotations.NullMarked;
