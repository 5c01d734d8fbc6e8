/** The {@code millrace} command: one class per command, each parses, calls and prints. */
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
