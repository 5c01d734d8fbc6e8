/** The aggregator as a process of its own, and the command that runs it. */
@NullMarked
package dev.millrace.worker;

import org.jspecify.annotations.NullMarked;
