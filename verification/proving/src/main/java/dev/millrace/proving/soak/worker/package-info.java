/** The processes that are killed: limiters that keep a journal. */
@NullMarked
package dev.millrace.proving.soak.worker;

import org.jspecify.annotations.NullMarked;
