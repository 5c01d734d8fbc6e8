package dev.millrace.admin;

/**
 * Options of setting limits.
 *
 * @param allowOtherPeriod whether a limit may have another refill period than the one of the same
 *     name at a weaker level
 * @param progress receives the number of updated buckets
 */
public record SetOptions(boolean allowOtherPeriod, ProgressListener progress) {
  /** Refuses other periods and reports no progress. */
  public static final SetOptions DEFAULT = new SetOptions(false, ProgressListener.NONE);

  /** The same, with other periods allowed. */
  public SetOptions allowingOtherPeriods() {
    return new SetOptions(true, progress);
  }

  /** The same, with progress reported to {@code listener}. */
  public SetOptions reportingTo(ProgressListener listener) {
    return new SetOptions(allowOtherPeriod, listener);
  }
}
