/** Executors whose tasks are charged before they run. */
@NullMarked
package dev.millrace.adapters.concurrent;

import org.jspecify.annotations.NullMarked;
