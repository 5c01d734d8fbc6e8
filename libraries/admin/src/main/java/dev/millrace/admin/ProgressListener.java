package dev.millrace.admin;

/**
 * A receiver of the progress of a job, called after every page. The remaining amount is not known.
 * An exception that it throws ends the work there; it can be resumed.
 */
@FunctionalInterface
public interface ProgressListener {
  /** Ignores all reports. */
  ProgressListener NONE = job -> {};

  /** A page is done. */
  void at(JobView job);
}
