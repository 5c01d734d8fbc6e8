/** Answers that are not what was hoped for, as RFC 9457 writes them. */
@NullMarked
package dev.millrace.server.problem;

import org.jspecify.annotations.NullMarked;
