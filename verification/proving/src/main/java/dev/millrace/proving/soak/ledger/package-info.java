/** Whether what the journals say and what the buckets hold agree. */
@NullMarked
package dev.millrace.proving.soak.ledger;

import org.jspecify.annotations.NullMarked;
