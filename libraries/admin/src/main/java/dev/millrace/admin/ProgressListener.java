package dev.millrace.admin;

/**
 * A receiver of the progress of a job, called after every page. The remaining amount is not known.
 * An exception that it throws ends the work there; it can be resumed.
 */
@FunctionalInterface
public interface ProgressListener {
  /** Ignores all reports. */
  ProgressListener NONE = report -> {};

  /** A page is done. */
  void at(Report report);

  /**
   * The progress of a job.
   *
   * @param jobId the id to resume it with, empty for work that is simply repeated
   * @param kind the kind of work
   * @param examined the number of items examined so far
   * @param changed the number of them that were changed so far
   */
  record Report(String jobId, String kind, long examined, long changed) {}
}
