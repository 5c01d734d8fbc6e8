/** The HTTP client of the JDK, charged for each request. */
@NullMarked
package dev.millrace.adapters.jdk;

import org.jspecify.annotations.NullMarked;
