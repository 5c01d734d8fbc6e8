package dev.millrace.client.internal;

import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;

/**
 * How long the first of a line waits before it asks again: until the tokens are due, and a little
 * longer each time somebody else took them first.
 */
final class Patience {
  /** Waiting is in vain. */
  static final long GIVE_UP = -1;

  /** Longest extra pause after tokens were taken by others. */
  static final long MAX_BACKOFF_MS = 64;

  private int triesInVain;

  /**
   * Milliseconds to wait, or {@link #GIVE_UP}.
   *
   * @param leftMs how long the caller is willing to wait
   */
  long nextDelayMs(Rejection rejection, long leftMs) {
    long dueMs = rejection.retryAfterMs();
    if (dueMs == LimitStatus.NEVER || dueMs > leftMs) {
      return GIVE_UP;
    }
    long backoffMs =
        triesInVain == 0 ? 0 : Math.min(MAX_BACKOFF_MS, 1L << Math.min(triesInVain, 6));
    triesInVain++;
    return Math.min(Math.max(dueMs, backoffMs), leftMs);
  }
}
