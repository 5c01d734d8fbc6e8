/** The health indicators and the endpoint of the limiter. */
@NullMarked
package dev.millrace.spring.actuate;

import org.jspecify.annotations.NullMarked;
