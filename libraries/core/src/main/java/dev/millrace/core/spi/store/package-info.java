/** The messages between the limiter and a store, and the ports that carry them. */
@NullMarked
package dev.millrace.core.spi.store;

import org.jspecify.annotations.NullMarked;
