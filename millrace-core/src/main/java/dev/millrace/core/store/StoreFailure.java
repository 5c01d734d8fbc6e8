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
    /** The store asked to slow down. */
    THROTTLED,
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

  /** Whether it is others who write the same item, or more than the store bears. */
  public boolean isInTheWay() {
    return kind == Kind.THROTTLED || kind == Kind.CONFLICT;
  }
}
