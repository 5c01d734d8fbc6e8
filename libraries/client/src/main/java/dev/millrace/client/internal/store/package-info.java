/**
 * Calls to the store: the two drivers of conversations, the store's health and clock, the deadline
 * of a call, threads and listeners.
 */
@NullMarked
package dev.millrace.client.internal.store;

import org.jspecify.annotations.NullMarked;
