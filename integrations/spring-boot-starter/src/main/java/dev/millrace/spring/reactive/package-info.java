/** Leases in reactive code. */
@NullMarked
package dev.millrace.spring.reactive;

import org.jspecify.annotations.NullMarked;
