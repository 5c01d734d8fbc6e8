/** The page: the activity and the state of the server, for people. */
@NullMarked
package dev.millrace.server.dashboard;

import org.jspecify.annotations.NullMarked;
