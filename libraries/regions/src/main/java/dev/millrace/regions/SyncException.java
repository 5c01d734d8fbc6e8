package dev.millrace.regions;

import org.jspecify.annotations.Nullable;

/** A failure of a region's table or of its stored records. Nothing is half done. */
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

  /**
   * The time of the window is up. Changes already made stay, and are published with the next
   * window.
   */
  static SyncException late() {
    return new SyncException("the window took longer than it may, and was broken off", true);
  }

  /** Whether the window must end at once. */
  boolean isLate() {
    return late;
  }
}
