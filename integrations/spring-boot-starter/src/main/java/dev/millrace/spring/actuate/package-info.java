/** How operators look at the limiter: health and an endpoint. */
@NullMarked
package dev.millrace.spring.actuate;

import org.jspecify.annotations.NullMarked;
