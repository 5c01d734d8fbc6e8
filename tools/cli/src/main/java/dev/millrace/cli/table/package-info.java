/** Which table a command works on, and how it gets there. */
@NullMarked
package dev.millrace.cli.table;

import org.jspecify.annotations.NullMarked;
