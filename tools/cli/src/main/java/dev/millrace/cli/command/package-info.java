/** The operators' commands: parse, call, print. */
@NullMarked
package dev.millrace.cli.command;

import org.jspecify.annotations.NullMarked;
