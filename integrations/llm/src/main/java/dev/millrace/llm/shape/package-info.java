/** The limits that a call is charged to, and their weights. */
@NullMarked
package dev.millrace.llm.shape;

import org.jspecify.annotations.NullMarked;
