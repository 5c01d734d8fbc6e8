/** The page: what the server does and holds, for people. */
@NullMarked
package dev.millrace.server.dashboard;

import org.jspecify.annotations.NullMarked;
