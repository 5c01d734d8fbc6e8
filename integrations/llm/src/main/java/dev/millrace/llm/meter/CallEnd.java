package dev.millrace.llm.meter;

import dev.millrace.llm.Usage;
import org.jspecify.annotations.Nullable;

/** How a call ended, as far as its cost goes. */
public sealed interface CallEnd {
  /** Answered in full, and the provider said what was used. */
  record Used(Usage usage) implements CallEnd {}

  /**
   * Answered in full, and the provider did not say what was used: what was produced is counted.
   *
   * @param text the answer; null when it was told piece by piece
   */
  record Answered(@Nullable String text) implements CallEnd {}

  /** Given up by the caller: what was produced until then is counted. */
  record Cancelled() implements CallEnd {}

  /** Took too long: nobody knows what was produced beyond what was received. */
  record TimedOut() implements CallEnd {}

  /** Answered, and what the answer says about its use makes no sense: the reservation stays. */
  record Unknown() implements CallEnd {}

  /** Failed before anything was produced: everything is given back. */
  record NothingUsed() implements CallEnd {}

  /** The provider's own count. */
  static CallEnd used(Usage usage) {
    return new Used(usage);
  }

  /** An answer in one piece, without the provider's count. */
  static CallEnd answered(String text) {
    return new Answered(text);
  }

  /** An answer of which every piece was told, without the provider's count. */
  static CallEnd answered() {
    return new Answered(null);
  }

  /** Given up. */
  static CallEnd cancelled() {
    return new Cancelled();
  }

  /** Took too long. */
  static CallEnd timedOut() {
    return new TimedOut();
  }

  /** Nobody can tell. */
  static CallEnd unknown() {
    return new Unknown();
  }

  /** Nothing was used. */
  static CallEnd nothingUsed() {
    return new NothingUsed();
  }
}
