/** What a call will use, said before it is made. */
@NullMarked
package dev.millrace.llm.estimate;

import org.jspecify.annotations.NullMarked;
