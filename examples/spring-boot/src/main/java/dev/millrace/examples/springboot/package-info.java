/** A Spring Boot service with limited endpoints. */
@NullMarked
package dev.millrace.examples.springboot;

import org.jspecify.annotations.NullMarked;
