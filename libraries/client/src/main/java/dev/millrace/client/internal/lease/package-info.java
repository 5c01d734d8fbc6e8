/** The charges of a lease, and how they are settled or given back. */
@NullMarked
package dev.millrace.client.internal.lease;

import org.jspecify.annotations.NullMarked;
