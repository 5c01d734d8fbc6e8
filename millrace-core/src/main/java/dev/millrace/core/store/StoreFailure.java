package dev.millrace.core.store;

import org.jspecify.annotations.Nullable;

/**
 * Why a store could not answer.
 *
 * @param kind the sort of failure
 * @param cause what was thrown, if anything was
 */
public record StoreFailure(Kind kind, @Nullable Throwable cause) {
  /** The sorts of failure. */
  public enum Kind {
    /** The store asked to slow down: the table as a whole, or for a reason it did not tell. */
    THROTTLED,
    /** The store turned the call away because this key alone is used harder than it sustains. */
    HOT_KEY,
    /** No connection could be made. */
    UNREACHABLE,
    /** No answer within the time limit. */
    TIMED_OUT,
    /** The connection broke, or the store failed inside. */
    BROKEN,
    /** The calling thread was interrupted. */
    INTERRUPTED,
    /** A transaction of somebody else was under way on the same item. */
    CONFLICT,
    /** Others changed the bucket every time before the write came through. */
    CONTENDED,
    /** Too many requests of this process already wait for the bucket. */
    BUSY
  }

  /**
   * Whether it is others that write the same item, or more writes than that item sustains. Another
   * shard may take the write then; it would not when the table as a whole is throttled.
   */
  public boolean isInTheWay() {
    return kind == Kind.HOT_KEY || kind == Kind.CONFLICT;
  }
}
