package dev.millrace.admin.internal;

import dev.millrace.core.directory.JobRecord;
import dev.millrace.core.directory.RecordChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One kind of long work, done in slices. A slice may be done again: it must not matter. */
@FunctionalInterface
interface Work {
  /** Does what comes next, after the cursor of {@code job}. */
  Slice next(Scope scope, JobRecord job);

  /**
   * What was done.
   *
   * @param cursor where to go on
   * @param examined how many things were looked at
   * @param changed how many of them were changed
   * @param done whether nothing is left
   * @param withIt what is to be changed in one transaction with saving the job
   */
  record Slice(
      @Nullable String cursor,
      long examined,
      long changed,
      boolean done,
      List<RecordChange> withIt) {
    /** More is to come. */
    static Slice next(String cursor, long examined, long changed) {
      return new Slice(cursor, examined, changed, /* done= */ false, List.of());
    }

    /** Nothing is left. */
    static Slice last(long examined, long changed) {
      return new Slice(null, examined, changed, /* done= */ true, List.of());
    }

    /** More is to come unless {@code cursor} is null. */
    static Slice of(@Nullable String cursor, long examined, long changed) {
      return cursor == null ? last(examined, changed) : next(cursor, examined, changed);
    }
  }
}
