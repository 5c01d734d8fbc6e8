/**
 * Writes to buckets: group commit, its leaders, what travels with other writes, and the settlements
 * that are still to be written.
 */
@NullMarked
package dev.millrace.client.internal.write;

import org.jspecify.annotations.NullMarked;
