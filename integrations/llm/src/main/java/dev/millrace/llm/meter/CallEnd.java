package dev.millrace.llm.meter;

import dev.millrace.llm.LlmUsage;
import org.jspecify.annotations.Nullable;

/** The end of a call as far as its cost is concerned. */
public sealed interface CallEnd {
  /** Answered in full, with the provider's count. */
  record Used(LlmUsage usage) implements CallEnd {}

  /**
   * Answered in full, without the provider's count: the output is counted.
   *
   * @param text the answer; null when its parts were reported one by one
   */
  record Answered(@Nullable String text) implements CallEnd {}

  /** Cancelled by the caller: the output until then is counted. */
  record Cancelled() implements CallEnd {}

  /** Timed out: the output beyond the received part is unknown. */
  record TimedOut() implements CallEnd {}

  /** Answered with an invalid count: the reservation stays. */
  record Unknown() implements CallEnd {}

  /** Failed before any output: everything is refunded. */
  record NothingUsed() implements CallEnd {}

  /** The provider's own count. */
  static CallEnd used(LlmUsage usage) {
    return new Used(usage);
  }

  /** An answer as one text, without the provider's count. */
  static CallEnd answered(String text) {
    return new Answered(text);
  }

  /** An answer whose parts were all reported, without the provider's count. */
  static CallEnd answered() {
    return new Answered(null);
  }

  /** Cancelled. */
  static CallEnd cancelled() {
    return new Cancelled();
  }

  /** Timed out. */
  static CallEnd timedOut() {
    return new TimedOut();
  }

  /** Unknown usage. */
  static CallEnd unknown() {
    return new Unknown();
  }

  /** Nothing was used. */
  static CallEnd nothingUsed() {
    return new NothingUsed();
  }
}
