package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.OperationResult;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.OperatorWrites;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Operations on all shards of a bucket, in one transaction with one audit event and with a note
 * that the operation of this id was done. The note makes a repeated call harmless. It is not the
 * event itself, because events are found by their time, which a repeated call does not have.
 */
public final class BucketOperations {
  /** Most shards of one operation: beside them there are the event and the note. */
  static final int MAX_SHARDS = StoreCall.Transaction.MAX_ACTIONS - 2;

  /** Most transactions of one operation; each but the last lost the lock to an acquire. */
  static final int MAX_ATTEMPTS = 40;

  /** Units that a write costs as part of a transaction. */
  private static final int UNITS = 2;

  private final NamespaceScope scope;

  /** For one namespace. */
  public BucketOperations(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Fills limits; an empty set fills all. */
  public OperationResult reset(BucketKey bucket, Set<String> limits, String operationId) {
    return run(
        new Operation("bucket.reset", bucket, new TreeSet<>(limits).toString()),
        operationId,
        limits,
        (shards, nowMs) -> {
          List<WritePlan> plans = new ArrayList<>(shards.size());
          for (BucketState shard : shards) {
            String op = scope.tools().ops().get();
            plans.add(
                limits.isEmpty()
                    ? OperatorWrites.reset(shard, nowMs, settings(), op)
                    : OperatorWrites.reset(shard, among(shard, limits), nowMs, settings(), op));
          }
          return plans;
        });
  }

  /** Adds tokens, to each shard its part. */
  public OperationResult topUp(
      BucketKey bucket, Map<String, Long> amountsMilli, String operationId) {
    return run(
        new Operation("bucket.topUp", bucket, new TreeMap<>(amountsMilli).toString()),
        operationId,
        amountsMilli.keySet(),
        (shards, nowMs) -> {
          List<Map<String, Long>> parts = TopUp.parts(shards, amountsMilli, nowMs);
          List<WritePlan> plans = new ArrayList<>(shards.size());
          for (int i = 0; i < shards.size(); i++) {
            String op = scope.tools().ops().get();
            plans.add(OperatorWrites.topUp(shards.get(i), parts.get(i), nowMs, settings(), op));
          }
          return plans;
        });
  }

  private PlanSettings settings() {
    return scope.tools().options().plan();
  }

  /** The description of an operation, by which another operation with the same id is recognised. */
  private record Operation(String action, BucketKey bucket, String what) {
    Map<String, String> arguments() {
      return Map.of(
          "action",
          action,
          "entity",
          bucket.entityId(),
          "resource",
          bucket.resource(),
          "what",
          what);
    }
  }

  private interface Plan {
    /** One write for each shard, in their order. */
    List<WritePlan> of(List<BucketState> shards, long nowMs);
  }

  private OperationResult run(
      Operation operation, String operationId, Set<String> limits, Plan plan) {
    String noteId = JobList.OPERATION + JobList.requireId(operationId);
    JobRecord note = JobRunner.find(scope, noteId);
    if (note != null) {
      return doneBefore(operation, operationId, note);
    }
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      List<BucketState> shards = read(operation.bucket());
      requireLimits(operation.bucket(), shards, limits);
      PreparedWrite prepared = prepare(operation, operationId, noteId, shards, plan, attempt);
      StoreReply.Cancelled cancelled = scope.calls().commit(prepared.plans(), prepared.changes());
      if (cancelled == null) {
        return new OperationResult(
            operationId, false, shards.size(), Instant.ofEpochMilli(prepared.atMs()));
      }
      note = JobRunner.find(scope, noteId);
      if (note != null) {
        return doneBefore(operation, operationId, note);
      }
    }
    throw new LimiterUnavailableException(
        "other writers changed the bucket on every attempt",
        Map.of("bucket", operation.bucket(), "attempts", MAX_ATTEMPTS),
        null);
  }

  private record PreparedWrite(List<WritePlan> plans, List<RecordChange> changes, long atMs) {}

  private PreparedWrite prepare(
      Operation operation,
      String operationId,
      String noteId,
      List<BucketState> shards,
      Plan plan,
      int attempt) {
    long nowMs = scope.tools().nowMs();
    List<WritePlan> planned = plan.of(shards, nowMs);
    List<WritePlan> plans = new ArrayList<>(shards.size());
    List<BucketState> after = new ArrayList<>(shards.size());
    for (int i = 0; i < shards.size(); i++) {
      plans.add(planned.get(i).priced(shards.get(i), UNITS * attempt, settings().writeUnits()));
      after.add(AuditBalances.after(shards.get(i), plans.get(i)));
    }
    Map<String, String> was = AuditBalances.of(shards, nowMs);
    Map<String, String> is = AuditBalances.of(after, nowMs);
    is.put("operation", operationId);
    is.put("resource", operation.bucket().resource());
    List<RecordChange> changes = new ArrayList<>();
    changes.add(
        scope.audit(
            AuditSubjects.ofEntity(operation.bucket().entityId()), operation.action(), was, is));
    changes.add(new RecordChange.Put(note(operation, noteId, plans.size(), nowMs), 0));
    return new PreparedWrite(plans, changes, nowMs);
  }

  private JobRecord note(Operation operation, String noteId, int shards, long nowMs) {
    JobRecord begun =
        JobRunner.begin(
            scope, noteId, JobKind.OPERATION, operation.arguments(), /* versionBefore= */ 0);
    return new JobRecord(
        begun.key(),
        begun.version(),
        begun.kind(),
        begun.arguments(),
        /* cursor= */ null,
        shards,
        shards,
        /* done= */ true,
        nowMs,
        nowMs,
        TimeUnit.MILLISECONDS.toSeconds(nowMs) + TimeUnit.DAYS.toSeconds(scope.retentionDays()));
  }

  private static OperationResult doneBefore(
      Operation operation, String operationId, JobRecord note) {
    if (!note.arguments().equals(operation.arguments())) {
      throw ChangeRefusals.of(
          Reason.OPERATION_REUSED, "operation", operationId, "was", note.arguments());
    }
    return new OperationResult(
        operationId, true, (int) note.changed(), Instant.ofEpochMilli(note.updatedAtMs()));
  }

  /**
   * All shards. A write requires the level that its shard was read with. So when the shards were
   * the whole bucket, and all of them are written, no other shard was split off meanwhile.
   */
  private List<BucketState> read(BucketKey first) {
    List<BucketState> shards = ShardReads.read(scope, first, /* believed= */ 1);
    if (shards.size() > MAX_SHARDS) {
      throw ChangeRefusals.of(
          Reason.TOO_MANY_SHARDS, "bucket", first, "shards", shards.size(), "most", MAX_SHARDS);
    }
    if (!shards.isEmpty() && !ShardReads.areAll(shards)) {
      throw new LimiterUnavailableException(
          "shards of the bucket are missing: it is being deleted",
          Map.of("bucket", first, "shards", shards.size()),
          null);
    }
    return shards;
  }

  private static void requireLimits(
      BucketKey bucket, List<BucketState> shards, Set<String> limits) {
    for (String limit : limits) {
      if (!shards.isEmpty() && shards.stream().allMatch(shard -> shard.find(limit) == null)) {
        throw ChangeRefusals.of(Reason.UNKNOWN_LIMIT, "bucket", bucket, "limit", limit);
      }
    }
  }

  /** Limits that come with calls are not in every shard yet; a missing one starts full. */
  private static Set<String> among(BucketState shard, Set<String> limits) {
    Set<String> known = new HashSet<>(limits);
    known.removeIf(limit -> shard.find(limit) == null);
    return known;
  }
}
