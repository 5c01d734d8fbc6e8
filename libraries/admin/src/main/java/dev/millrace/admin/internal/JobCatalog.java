package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.JobRecord;

/** The implementation of each kind of job. */
final class JobCatalog {
  private JobCatalog() {}

  static JobWork of(JobKind kind) {
    return switch (kind) {
      case REFRESH_BUCKET -> RefreshWork::bucket;
      case REFRESH_ENTITY -> RefreshWork::entity;
      case REFRESH_RESOURCE -> RefreshWork::resource;
      case REFRESH_NAMESPACE -> RefreshWork::namespace;
      case ERASE_ENTITY -> EraseEntityWork::next;
      case PURGE_NAMESPACE -> PurgeWork::namespace;
      case PURGE_ORPHANS -> PurgeWork::orphans;
      // The process that held the entity died. Releasing the hold is all there is to do.
      case HOLD_ENTITY, OPERATION -> (scope, job) -> JobWork.Slice.last(0, 0);
    };
  }

  /** An argument that every job of its kind has. */
  static String argument(JobRecord job, String name) {
    String value = job.arguments().get(name);
    if (value == null) {
      throw new IllegalStateException("job " + job.key().id() + " has no argument " + name);
    }
    return value;
  }
}
