/** The output of commands: tables and bars for people, JSON for machines. */
@NullMarked
package dev.millrace.cli.text;

import org.jspecify.annotations.NullMarked;
