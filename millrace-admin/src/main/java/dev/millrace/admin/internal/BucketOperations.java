package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.OperationResult;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.directory.JobRecord;
import dev.millrace.core.directory.RecordChange;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Operations on all shards of a bucket, in one transaction with one audit event and with a note
 * that the operation of this id was done. The note is what makes a repeated call harmless. It is
 * not the event itself, because events are found by their time, which a repeated call does not
 * know.
 */
public final class BucketOperations {
  /** Most shards of one operation: beside them there are the event and the note. */
  static final int MAX_SHARDS = StoreCall.Transaction.MAX_ACTIONS - 2;

  /** Most transactions of one operation; each but the last lost the lock to an acquire. */
  static final int MAX_ATTEMPTS = 40;

  private final Scope scope;

  /** For one namespace. */
  public BucketOperations(Scope scope) {
    this.scope = scope;
  }

  /** Fills limits; an empty set fills all. */
  public OperationResult reset(BucketKey bucket, Set<String> limits, String operationId) {
    return run(
        new Operation("bucket.reset", bucket, new TreeSet<>(limits).toString()),
        operationId,
        limits,
        (state, shard) -> {
          long nowMs = scope.tools().nowMs();
          String op = scope.tools().ops().get();
          return limits.isEmpty()
              ? Planner.reset(state, nowMs, scope.tools().options().plan(), op)
              : Planner.reset(state, limits, nowMs, scope.tools().options().plan(), op);
        });
  }

  /** Gives tokens, to each shard its part. */
  public OperationResult topUp(
      BucketKey bucket, Map<String, Long> amountsMilli, String operationId) {
    return run(
        new Operation("bucket.topUp", bucket, new TreeMap<>(amountsMilli).toString()),
        operationId,
        amountsMilli.keySet(),
        (state, shard) -> {
          Map<String, Long> parts = new HashMap<>();
          amountsMilli.forEach((limit, milli) -> parts.put(limit, shard.partOf(milli)));
          return Planner.topUp(
              state,
              parts,
              scope.tools().nowMs(),
              scope.tools().options().plan(),
              scope.tools().ops().get());
        });
  }

  /** What is done, so that another operation under the same id is noticed. */
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

  /** Which one of how many. */
  private record Shard(int index, int count) {
    /** The remainder goes to the first ones, so that the parts add up to the whole. */
    long partOf(long milli) {
      return milli / count + (index < milli % count ? 1 : 0);
    }
  }

  private interface Plan {
    WritePlan of(BucketState state, Shard shard);
  }

  private OperationResult run(
      Operation operation, String operationId, Set<String> limits, Plan plan) {
    String noteId = JobList.OPERATION + JobList.requireId(operationId);
    JobRecord note = Jobs.find(scope, noteId);
    if (note != null) {
      return doneBefore(operation, operationId, note);
    }
    Map<BucketKey, BucketState> states = read(operation.bucket());
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      states.values().forEach(state -> requireLimits(state, limits));
      Prepared prepared = prepare(operation, operationId, noteId, states, plan);
      StoreReply.Cancelled cancelled = scope.calls().commit(prepared.plans(), prepared.changes());
      if (cancelled == null) {
        return new OperationResult(
            operationId, false, prepared.plans().size(), Instant.ofEpochMilli(prepared.atMs()));
      }
      note = Jobs.find(scope, noteId);
      if (note != null) {
        return doneBefore(operation, operationId, note);
      }
      states = read(operation.bucket());
    }
    throw new LimiterUnavailableException(
        "others changed the bucket every time",
        Map.of("bucket", operation.bucket(), "attempts", MAX_ATTEMPTS),
        null);
  }

  private record Prepared(List<WritePlan> plans, List<RecordChange> changes, long atMs) {}

  private Prepared prepare(
      Operation operation,
      String operationId,
      String noteId,
      Map<BucketKey, BucketState> states,
      Plan plan) {
    List<WritePlan> plans = new ArrayList<>();
    Map<String, Long> before = new TreeMap<>();
    Map<String, Long> after = new TreeMap<>();
    long nowMs = scope.tools().nowMs();
    List<BucketState> shards = new ArrayList<>(states.values());
    for (int i = 0; i < shards.size(); i++) {
      WritePlan write = plan.of(shards.get(i), new Shard(i, shards.size()));
      plans.add(write);
      Tokens.add(before, shards.get(i), nowMs);
      Tokens.add(after, Tokens.after(shards.get(i), write), nowMs);
    }
    Map<String, String> was = Tokens.fields(before);
    Map<String, String> is = Tokens.fields(after);
    is.put("operation", operationId);
    is.put("resource", operation.bucket().resource());
    List<RecordChange> changes = new ArrayList<>();
    changes.add(
        scope.audit(Subjects.ofEntity(operation.bucket().entityId()), operation.action(), was, is));
    changes.add(new RecordChange.Put(note(operation, noteId, plans.size(), nowMs), 0));
    return new Prepared(plans, changes, nowMs);
  }

  private JobRecord note(Operation operation, String noteId, int shards, long nowMs) {
    JobRecord begun =
        Jobs.begin(scope, noteId, JobKind.OPERATION, operation.arguments(), /* versionBefore= */ 0);
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
      throw Refusals.of(Reason.OPERATION_REUSED, "operation", operationId, "was", note.arguments());
    }
    return new OperationResult(
        operationId, true, (int) note.changed(), Instant.ofEpochMilli(note.updatedAtMs()));
  }

  private Map<BucketKey, BucketState> read(BucketKey first) {
    BucketState state = scope.calls().readAll(List.of(first)).get(first);
    int count = state == null ? 0 : state.shardCount();
    if (count > MAX_SHARDS) {
      throw Refusals.of(
          Reason.TOO_MANY_SHARDS, "bucket", first, "shards", count, "most", MAX_SHARDS);
    }
    Map<BucketKey, BucketState> states = new TreeMap<>(Comparator.comparing(BucketKey::shard));
    if (state != null) {
      states.put(first, state);
      states.putAll(scope.calls().readAll(Shards.range(first, 1, count)));
    }
    return states;
  }

  private static void requireLimits(BucketState state, Set<String> limits) {
    for (String limit : limits) {
      if (state.find(limit) == null) {
        throw Refusals.of(Reason.UNKNOWN_LIMIT, "bucket", state.key(), "limit", limit);
      }
    }
  }
}
