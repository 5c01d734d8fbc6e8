package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.JobView;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runner of jobs, which saves the progress after every slice. The version of the saved record
 * is the lock: of two processes that run the same job, the first to save continues and the other
 * stops. A slice that both did is harmless.
 */
public final class JobRunner {
  /** How long a done job is still shown. */
  static final Duration KEPT = Duration.ofDays(1);

  /** A job that is not done does not expire. */
  static final long NEVER = 0;

  /** The prefix of operation ids; they sort after all others, and all of them are done. */
  static final String OPERATION = "op:";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:@-]{1,300}");

  private JobRunner() {}

  /** The record of a job that is about to begin, to be written with the change that needs it. */
  static JobRecord begin(NamespaceScope scope, JobKind kind, Map<String, String> arguments) {
    return begin(scope, scope.tools().ids.next(), kind, arguments, 0);
  }

  /** The same under a given id, replacing a job that is done. */
  static JobRecord begin(
      NamespaceScope scope,
      String id,
      JobKind kind,
      Map<String, String> arguments,
      long versionBefore) {
    long nowMs = scope.nowMs();
    RecordKey.Job key = new RecordKey.Job(scope.id(), id);
    return new JobRecord(
        key, versionBefore + 1, kind.text(), arguments, null, 0, 0, false, nowMs, nowMs, NEVER);
  }

  /** Writes the record of a job that is about to begin. */
  static RecordChange.Put put(JobRecord begun) {
    return new RecordChange.Put(begun, begun.version() - 1);
  }

  /** Continues a job until it is done or another process has taken it over. */
  public static JobView run(NamespaceScope scope, JobRecord begun, ProgressListener progress) {
    JobRecord job = begun;
    try {
      JobKind kind = JobKind.of(job.kind());
      while (!job.done()) { // ends: every slice moves the cursor
        Slice slice = kind.next(scope, job);
        JobRecord saved = advanced(job, slice, scope.nowMs());
        if (!save(scope, job, saved, slice.withIt())) {
          return takenOver(scope, job);
        }
        job = saved;
        progress.at(JobView.of(job));
      }
    } catch (TakenOverException e) {
      return takenOver(scope, job);
    } catch (LimiterUnavailableException e) {
      throw interrupted(job, e);
    }
    return JobView.of(job);
  }

  private static JobRecord advanced(JobRecord job, Slice slice, long nowMs) {
    return new JobRecord(
        job.key(),
        job.version() + 1,
        job.kind(),
        job.arguments(),
        slice.cursor(),
        job.examined() + slice.examined(),
        job.changed() + slice.changed(),
        slice.done(),
        job.startedAtMs(),
        nowMs,
        slice.done() ? (nowMs + KEPT.toMillis()) / 1_000 : NEVER);
  }

  private static boolean save(
      NamespaceScope scope, JobRecord before, JobRecord after, List<RecordChange> withIt) {
    Stream<RecordChange> put = Stream.of(new RecordChange.Put(after, before.version()));
    StoreReply.Cancelled cancelled = scope.commit(Stream.concat(put, withIt.stream()).toList());
    if (cancelled != null && !cancelled.causes().get(0).refused()) {
      throw new LimiterUnavailableException(
          "a record that the job's last write requires was changed meanwhile",
          Map.of("kind", before.kind()),
          null);
    }
    return cancelled == null;
  }

  /** Another process saved first. If the job is done by now, that makes no difference. */
  private static JobView takenOver(NamespaceScope scope, JobRecord job) {
    JobRecord now = find(scope, job.key().id());
    return now == null ? JobView.of(job).asDone() : JobView.of(now);
  }

  private static LimiterUnavailableException interrupted(
      JobRecord job, LimiterUnavailableException cause) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("job", job.key().id());
    attributes.put("kind", job.kind());
    attributes.put("examined", job.examined());
    attributes.put("changed", job.changed());
    attributes.put("todo", "resume the job");
    attributes.putAll(cause.attributes());
    return new LimiterUnavailableException(
        "the change was made, but the work that follows it was interrupted", attributes, cause);
  }

  /** The current record of the job, null when there is none. */
  public static @Nullable JobRecord find(NamespaceScope scope, String id) {
    return (JobRecord) scope.lookup(new RecordKey.Job(scope.id(), id));
  }

  /** A page of the jobs that are not done, in the order of their ids. */
  public static Page<JobRecord> unfinished(
      NamespaceScope scope, int pageSize, @Nullable String cursor) {
    StoreReply.Page page =
        scope.list(new Listing.Jobs(scope.id()), ListingPages.requireSize(pageSize), cursor);
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

  /** An argument that every job of its kind has. */
  static String argument(JobRecord job, String name) {
    String value = job.arguments().get(name);
    if (value == null) {
      throw new IllegalStateException("job " + job.key().id() + " has no argument " + name);
    }
    return value;
  }

  /**
   * Stops a process whose job another process has taken over. The items to erase may by now belong
   * to a new owner, so an erasure, unlike a refresh, must not be done late. Called right before
   * every erasure.
   */
  static void requireOwned(NamespaceScope scope, JobRecord job) {
    JobRecord now = find(scope, job.key().id());
    if (now == null || now.version() != job.version()) {
      throw new TakenOverException();
    }
  }

  /** Ends the work of a late process; never leaves this class. */
  private static final class TakenOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TakenOverException() {
      super("another process continues the work", null, false, false);
    }
  }

  /**
   * The result of a slice of a job.
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
    static Slice last(long examined, long changed) {
      return new Slice(null, examined, changed, /* done= */ true, List.of());
    }

    /** More slices follow unless {@code cursor} is null. */
    static Slice of(@Nullable String cursor, long examined, long changed) {
      return new Slice(cursor, examined, changed, cursor == null, List.of());
    }
  }
}
