/** Limits for existing Java code: functions, executors, and the HTTP client of the JDK. */
@NullMarked
package dev.millrace.adapters;

import org.jspecify.annotations.NullMarked;
