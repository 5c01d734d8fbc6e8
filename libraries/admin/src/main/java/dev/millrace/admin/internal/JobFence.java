package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.JobRecord;

/**
 * A check that stops a process whose job another process has taken over. The items to erase may by
 * now belong to a new owner, so an erasure, unlike a refresh, must not be done late. Called right
 * before every erasure.
 */
final class JobFence {
  private JobFence() {}

  static void check(NamespaceScope scope, JobRecord job) {
    JobRecord now = JobRunner.find(scope, job.key().id());
    if (now == null || now.version() != job.version()) {
      throw new TakenOverException();
    }
  }

  /** Ends the work of a late process; never leaves this package. */
  static final class TakenOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TakenOverException() {
      super("another process continues the work", null, false, false);
    }
  }
}
