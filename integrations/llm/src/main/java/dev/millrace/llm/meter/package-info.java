/** The meter, which reserves before a call and settles after it, however it ends. */
@NullMarked
package dev.millrace.llm.meter;

import org.jspecify.annotations.NullMarked;
