/**
 * From a request to its legs: which buckets it charges and which limits apply, from the
 * configuration cache or from the store.
 */
@NullMarked
package dev.millrace.client.internal.resolve;

import org.jspecify.annotations.NullMarked;
