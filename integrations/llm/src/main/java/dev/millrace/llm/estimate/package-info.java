/** The estimates of the usage of calls. */
@NullMarked
package dev.millrace.llm.estimate;

import org.jspecify.annotations.NullMarked;
