/** A metering advisor for Spring AI. */
@NullMarked
package dev.millrace.springai;

import org.jspecify.annotations.NullMarked;
