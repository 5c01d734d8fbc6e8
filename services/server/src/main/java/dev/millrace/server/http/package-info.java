/** The limiter over HTTP: acquire, availability, and leases that callers hold. */
@NullMarked
package dev.millrace.server.http;

import org.jspecify.annotations.NullMarked;
