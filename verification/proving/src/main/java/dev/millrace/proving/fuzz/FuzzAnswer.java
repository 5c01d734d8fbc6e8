package dev.millrace.proving.fuzz;

import org.jspecify.annotations.Nullable;

/**
 * An answer of the server.
 *
 * @param status the status, or one of the others below
 * @param body the body; of {@link #BROKEN} what is wrong
 */
record FuzzAnswer(int status, String body) {
  /** Nothing: the connection was closed. */
  static final int CLOSED = -1;

  /** Frames of HTTP/2. */
  static final int BINARY = -2;

  /** Not an answer: neither a status line, nor the body that its head announces. */
  static final int BROKEN = -3;

  /** Nothing, and the connection is still open. */
  static final int SILENT = -4;

  private static final String[] INSIDES = {
    "\tat ", "Exception", "dev.millrace", "com.linecorp", "io.netty", "java.lang", "java.util"
  };

  /** What of the server's insides is in the body, null when nothing is. */
  @Nullable String insides() {
    for (String inside : INSIDES) {
      if (status != BINARY && body.contains(inside)) {
        return inside;
      }
    }
    return null;
  }
}
