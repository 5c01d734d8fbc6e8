/** The limiter that applications call, blocking and asynchronous. */
@NullMarked
package dev.millrace.client;

import org.jspecify.annotations.NullMarked;
