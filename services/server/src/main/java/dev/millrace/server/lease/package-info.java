/** Leases that callers over the network hold: their ids, their life, their end. */
@NullMarked
package dev.millrace.server.lease;

import org.jspecify.annotations.NullMarked;
