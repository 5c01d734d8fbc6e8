/** The commands that run a server, and what they put together. */
@NullMarked
package dev.millrace.server.command;

import org.jspecify.annotations.NullMarked;
