/**
 * The administration over HTTP, as routes below {@code /v1}. They block, so they run on the
 * server's blocking executor, which is bounded.
 */
@NullMarked
package dev.millrace.server.adminapi;

import org.jspecify.annotations.NullMarked;
