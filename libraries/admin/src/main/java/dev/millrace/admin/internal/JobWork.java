package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One kind of job, done in slices. Repeating a slice must be harmless. */
@FunctionalInterface
interface JobWork {
  /** Does the next slice, after the cursor of {@code job}. */
  Slice next(NamespaceScope scope, JobRecord job);

  /**
   * The result of a slice.
   *
   * @param cursor the position to continue from
   * @param examined the number of items examined
   * @param changed the number of them that were changed
   * @param done whether nothing remains
   * @param withIt changes to be written in one transaction with the progress of the job
   */
  record Slice(
      @Nullable String cursor,
      long examined,
      long changed,
      boolean done,
      List<RecordChange> withIt) {
    /** More slices follow. */
    static Slice next(String cursor, long examined, long changed) {
      return new Slice(cursor, examined, changed, /* done= */ false, List.of());
    }

    /** Nothing remains. */
    static Slice last(long examined, long changed) {
      return new Slice(null, examined, changed, /* done= */ true, List.of());
    }

    /** More slices follow unless {@code cursor} is null. */
    static Slice of(@Nullable String cursor, long examined, long changed) {
      return cursor == null ? last(examined, changed) : next(cursor, examined, changed);
    }
  }
}
