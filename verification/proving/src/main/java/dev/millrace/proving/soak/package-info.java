/** Real limiter processes on a real database, killed at random, and the books afterwards. */
@NullMarked
package dev.millrace.proving.soak;

import org.jspecify.annotations.NullMarked;
