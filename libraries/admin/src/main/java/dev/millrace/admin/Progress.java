package dev.millrace.admin;

/**
 * Hears how far long work is, after every page. How much is left is not known. Whatever it throws
 * ends the work there; it can be resumed.
 */
@FunctionalInterface
public interface Progress {
  /** Nobody listens. */
  Progress NONE = report -> {};

  /** A page is done. */
  void at(Report report);

  /**
   * How far it is.
   *
   * @param jobId under which id it can be resumed, empty for work that is simply done again
   * @param kind what is done
   * @param examined how many things were looked at so far
   * @param changed how many of them were changed so far
   */
  record Report(String jobId, String kind, long examined, long changed) {}
}
