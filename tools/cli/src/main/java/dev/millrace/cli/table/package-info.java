/** The table of a command: its options, its settings, and the connection to it. */
@NullMarked
package dev.millrace.cli.table;

import org.jspecify.annotations.NullMarked;
