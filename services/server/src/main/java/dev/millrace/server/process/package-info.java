/** A server as a process: its clients, its assembly, its main class and its end. */
@NullMarked
package dev.millrace.server.process;

import org.jspecify.annotations.NullMarked;
