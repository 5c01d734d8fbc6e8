/** The aggregator as a process of its own: many share the stream. */
@NullMarked
package dev.millrace.worker;

import org.jspecify.annotations.NullMarked;
