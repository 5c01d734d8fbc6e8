package dev.millrace.simulator;

import dev.millrace.core.spi.store.StoreCall;

/**
 * A call on its way.
 *
 * @param number counts all calls in the order in which they were sent
 * @param senderMs what the sender took for the time
 * @param sentNanos when it was sent
 */
record Sent(Sender sender, StoreCall call, long number, long senderMs, long sentNanos) {}
