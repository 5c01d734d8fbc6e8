/** Tests of estimates, and the experiment behind the default. */
@NullMarked
package dev.millrace.llm.estimate;

import org.jspecify.annotations.NullMarked;
