package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.JobResult;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private JobRunner() {}

  /** The record of a job that is about to begin, to be written with the change that needs it. */
  static JobRecord begin(NamespaceScope scope, JobKind kind, Map<String, String> arguments) {
    return begin(scope, scope.tools().ids().next(), kind, arguments, 0);
  }

  /** The same under a given id, replacing a job that is done. */
  static JobRecord begin(
      NamespaceScope scope,
      String id,
      JobKind kind,
      Map<String, String> arguments,
      long versionBefore) {
    long nowMs = scope.tools().nowMs();
    return new JobRecord(
        new RecordKey.Job(scope.id(), id),
        versionBefore + 1,
        kind.text(),
        arguments,
        /* cursor= */ null,
        /* examined= */ 0,
        /* changed= */ 0,
        /* done= */ false,
        nowMs,
        nowMs,
        NEVER);
  }

  /** Writes the record of a job that is about to begin. */
  static RecordChange.Put put(JobRecord begun) {
    return new RecordChange.Put(begun, begun.version() - 1);
  }

  /** Continues a job until it is done or another process has taken it over. */
  public static JobResult run(NamespaceScope scope, JobRecord begun, ProgressListener progress) {
    JobRecord job = begun;
    try {
      JobWork work = JobCatalog.of(JobKind.of(job.kind()));
      while (!job.done()) { // ends: every slice moves the cursor
        JobWork.Slice slice = work.next(scope, job);
        JobRecord saved = advanced(job, slice, scope.tools().nowMs());
        if (!save(scope, job, saved, slice.withIt())) {
          return takenOver(scope, job);
        }
        job = saved;
        progress.at(
            new ProgressListener.Report(job.key().id(), job.kind(), job.examined(), job.changed()));
      }
    } catch (JobFence.TakenOverException e) {
      return takenOver(scope, job);
    } catch (LimiterUnavailableException e) {
      throw interrupted(job, e);
    }
    return new JobResult(job.key().id(), JobResult.State.DONE, job.examined(), job.changed());
  }

  private static JobRecord advanced(JobRecord job, JobWork.Slice slice, long nowMs) {
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
    List<RecordChange> changes =
        Stream.concat(Stream.of(new RecordChange.Put(after, before.version())), withIt.stream())
            .toList();
    StoreReply.Cancelled cancelled = scope.calls().commit(changes);
    if (cancelled != null && !cancelled.causes().get(0).refused()) {
      throw new LimiterUnavailableException(
          "a record that the job's last write requires was changed meanwhile",
          Map.of("kind", before.kind()),
          null);
    }
    return cancelled == null;
  }

  /** Another process saved first. If the job is done by now, that makes no difference. */
  private static JobResult takenOver(NamespaceScope scope, JobRecord job) {
    JobRecord now = find(scope, job.key().id());
    boolean done = now == null || now.done();
    JobRecord last = now == null ? job : now;
    return new JobResult(
        job.key().id(),
        done ? JobResult.State.DONE : JobResult.State.TAKEN_OVER,
        last.examined(),
        last.changed());
  }

  /** The current record of the job, null when there is none. */
  public static @Nullable JobRecord find(NamespaceScope scope, String id) {
    return (JobRecord) scope.calls().lookup(new RecordKey.Job(scope.id(), id));
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
}
