package dev.millrace.llm;

import org.jspecify.annotations.Nullable;

/** The end of a call as far as its cost is concerned. */
public final class CallEnd {
  private static final CallEnd REPORTED = new CallEnd(Kind.ANSWERED, null, null);
  private static final CallEnd CANCELLED = new CallEnd(Kind.CANCELLED, null, null);
  private static final CallEnd TIMED_OUT = new CallEnd(Kind.TIMED_OUT, null, null);
  private static final CallEnd UNKNOWN = new CallEnd(Kind.UNKNOWN, null, null);
  private static final CallEnd NOTHING_USED = new CallEnd(Kind.NOTHING_USED, null, null);

  enum Kind {
    ANSWERED,
    CANCELLED,
    TIMED_OUT,
    UNKNOWN,
    NOTHING_USED
  }

  final Kind kind;
  final @Nullable LlmUsage usage;
  final @Nullable String text;

  private CallEnd(Kind kind, @Nullable LlmUsage usage, @Nullable String text) {
    this.kind = kind;
    this.usage = usage;
    this.text = text;
  }

  /** Answered in full, with the provider's own count. */
  public static CallEnd used(LlmUsage usage) {
    return new CallEnd(Kind.ANSWERED, usage, null);
  }

  /** Answered in full as one text, without the provider's count: the output is counted. */
  public static CallEnd answered(String text) {
    return new CallEnd(Kind.ANSWERED, null, text);
  }

  /** The same for an answer whose parts were all reported by {@link MeteredCall#produced}. */
  public static CallEnd answered() {
    return REPORTED;
  }

  /** Cancelled by the caller: the output until then is counted. */
  public static CallEnd cancelled() {
    return CANCELLED;
  }

  /** Timed out: the output beyond the received part is unknown. */
  public static CallEnd timedOut() {
    return TIMED_OUT;
  }

  /** Answered with an invalid count: the reservation stays. */
  public static CallEnd unknown() {
    return UNKNOWN;
  }

  /** Failed before any output: everything is refunded. */
  public static CallEnd nothingUsed() {
    return NOTHING_USED;
  }

  @Override
  public String toString() {
    return kind + (usage == null ? "" : " " + usage);
  }
}
