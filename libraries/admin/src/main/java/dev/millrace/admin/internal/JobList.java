package dev.millrace.admin.internal;

import dev.millrace.admin.Page;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The jobs of a namespace, in the order of their ids. */
public final class JobList {
  /** The prefix of operation ids; they sort after all others, and all of them are done. */
  static final String OPERATION = "op:";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:@-]{1,300}");

  private JobList() {}

  /** A page of the jobs that are not done. */
  public static Page<JobRecord> unfinished(
      NamespaceScope scope, int pageSize, @Nullable String cursor) {
    Listing listing = new Listing.Jobs(scope.id());
    StoreReply.Page page = scope.calls().list(listing, ListingPages.requireSize(pageSize), cursor);
    List<JobRecord> unfinished = new ArrayList<>();
    boolean atOperations = false;
    for (ListEntry entry : page.entries()) {
      JobRecord job = (JobRecord) ((ListEntry.Stored) entry).record();
      atOperations |= job.key().id().startsWith(OPERATION);
      if (!job.done()) {
        unfinished.add(job);
      }
    }
    return new Page<>(unfinished, atOperations ? null : page.cursor());
  }

  /** Whether the job appears to be abandoned; a move ends by itself. */
  public static boolean isAbandoned(NamespaceScope scope, JobRecord job) {
    return !job.kind().equals(JobKind.HOLD_ENTITY.text()) || EntityHolds.isStale(scope, job);
  }

  /** Returns {@code id} if it is valid: it becomes part of a key. */
  public static String requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "job id must have from 1 to 300 letters, digits and _.:@-, and no others");
    }
    return id;
  }
}
