/** The limiter over HTTP: what is asked, what is answered, and in which form. */
@NullMarked
package dev.millrace.server.http;

import org.jspecify.annotations.NullMarked;
