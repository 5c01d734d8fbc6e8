/** The adapter for the HTTP client of the JDK, which charges each request. */
@NullMarked
package dev.millrace.adapters.jdk;

import org.jspecify.annotations.NullMarked;
