package dev.millrace.admin.internal;

import dev.millrace.core.directory.JobRecord;

/**
 * Stops whoever goes on with work that somebody else has taken over. What is erased may meanwhile
 * belong to somebody new, so that, unlike a refresh, it must not be done by one who is late. Asked
 * right before every erasure.
 */
final class Fence {
  private Fence() {}

  static void check(Scope scope, JobRecord job) {
    JobRecord now = Jobs.find(scope, job.key().id());
    if (now == null || now.version() != job.version()) {
      throw new TakenOver();
    }
  }

  /** Ends the work of one who is late; never leaves this package. */
  static final class TakenOver extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TakenOver() {
      super("somebody else goes on with the work", null, false, false);
    }
  }
}
