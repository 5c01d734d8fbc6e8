package dev.millrace.admin;

/**
 * How limits are set.
 *
 * @param allowOtherPeriod whether a limit may have another refill period than the one of the same
 *     name at a weaker level
 * @param progress who hears how many buckets follow
 */
public record SetOptions(boolean allowOtherPeriod, Progress progress) {
  /** Other periods are refused, and nobody listens. */
  public static final SetOptions DEFAULT = new SetOptions(false, Progress.NONE);

  /** The same, with other periods allowed. */
  public SetOptions allowingOtherPeriods() {
    return new SetOptions(true, progress);
  }

  /** The same, heard by {@code listener}. */
  public SetOptions reportingTo(Progress listener) {
    return new SetOptions(allowOtherPeriod, listener);
  }
}
