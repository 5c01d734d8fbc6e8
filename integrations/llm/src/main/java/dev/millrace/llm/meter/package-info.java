/** Reserves before a call, settles after it, whatever becomes of it. */
@NullMarked
package dev.millrace.llm.meter;

import org.jspecify.annotations.NullMarked;
