/**
 * What was consumed, by whom, of what and when: usage, its windows, and the store that keeps it.
 */
@NullMarked
package dev.millrace.core.spi.usage;

import org.jspecify.annotations.NullMarked;
