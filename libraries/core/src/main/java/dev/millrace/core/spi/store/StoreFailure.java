package dev.millrace.core.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a store to answer.
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
    /** No connection could be made: the store surely did not get the call. */
    UNREACHABLE,
    /** The credentials for the store could not be had. */
    NO_CREDENTIALS,
    /** Not asked: the store could not be reached a moment ago, and is not back yet. */
    AWAY,
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
    /** Too many requests of this process already wait for the bucket, or look records up. */
    BUSY,
    /** What is stored is older than what the bucket follows, and nobody can tell what holds. */
    SET_BACK
  }

  /** Whether it says that the store cannot be reached, and nothing about the call itself. */
  public boolean meansAway() {
    return switch (kind) {
      case UNREACHABLE, NO_CREDENTIALS, AWAY, TIMED_OUT, BROKEN -> true;
      case THROTTLED, HOT_KEY, INTERRUPTED, CONFLICT, CONTENDED, BUSY, SET_BACK -> false;
    };
  }

  /** What to look at, for whoever operates the process. */
  public String todo() {
    return switch (kind) {
      case UNREACHABLE -> "check the endpoint, its name in the DNS, and the network";
      case NO_CREDENTIALS ->
          "give the client credentials: environment, profile, web identity, or a role of the host";
      case AWAY, TIMED_OUT, BROKEN -> "check the network, and the state of the store";
      case THROTTLED -> "raise the throughput of the table, or ask less";
      case HOT_KEY, CONFLICT, CONTENDED -> "try again: others use the same bucket";
      case BUSY -> "try again: this process asks for more than it can send";
      case SET_BACK -> "records were lost: delete the bucket, or change its limits again";
      case INTERRUPTED -> "nothing: the calling thread was told to stop";
    };
  }

  /**
   * Whether it is others that write the same item, or more writes than that item sustains. Another
   * shard may take the write then; it would not when the table as a whole is throttled.
   */
  public boolean isInTheWay() {
    return kind == Kind.HOT_KEY || kind == Kind.CONFLICT;
  }
}
