/**
 * The administration over HTTP: what the commands can, as routes below {@code /v1}.
 *
 * <p>Everything here blocks, so it runs on the server's blocking executor, which is bounded.
 */
@NullMarked
package dev.millrace.server.adminapi;

import org.jspecify.annotations.NullMarked;
