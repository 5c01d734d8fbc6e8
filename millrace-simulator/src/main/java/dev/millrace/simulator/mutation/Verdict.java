package dev.millrace.simulator.mutation;

import dev.millrace.simulator.oracle.Promise;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign made of a mutant.
 *
 * @param seeds how many histories were played
 * @param promise the one that was broken in the last of them, null when none was
 * @param message what happened, empty when nothing did
 */
public record Verdict(Mutant mutant, long seeds, @Nullable Promise promise, String message) {
  /** Whether a promise was broken. */
  public boolean isCaught() {
    return promise != null;
  }

  /** Whether it was caught as the list says: one of its promises was broken. */
  public boolean isAsExpected() {
    return promise != null && mutant.breaks().contains(promise);
  }
}
