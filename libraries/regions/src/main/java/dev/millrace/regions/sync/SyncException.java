package dev.millrace.regions.sync;

import org.jspecify.annotations.Nullable;

/** A region's table or what is stored in it cannot be used now. Nothing is half done. */
public final class SyncException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean late;

  SyncException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.late = false;
  }

  private SyncException(String message, boolean late) {
    super(message, null);
    this.late = late;
  }

  /** The time of the window is up. What was changed stays changed, and is told with the next. */
  static SyncException late() {
    return new SyncException("the window took longer than it may, and was broken off", true);
  }

  /** Whether the window must end at once. */
  boolean isLate() {
    return late;
  }
}
