package dev.millrace.testkit.internal.history;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The set of operations that took effect, and the state they led to: what can still happen depends
 * on nothing else. Of the set only the part is kept that is not all ones or all zeros.
 */
final class Configuration {
  private static final int WORD_BITS = 64;

  private final int start;
  private final long[] words;
  private final Object state;
  private final int hash;

  Configuration(BitSet done, Object state) {
    int from = done.nextClearBit(0) / WORD_BITS;
    long[] all = done.toLongArray();
    this.start = from;
    this.words = from < all.length ? Arrays.copyOfRange(all, from, all.length) : new long[0];
    this.state = state;
    this.hash = (Arrays.hashCode(words) * 31 + start) * 31 + state.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Configuration that
        && hash == that.hash
        && start == that.start
        && Arrays.equals(words, that.words)
        && state.equals(that.state);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
