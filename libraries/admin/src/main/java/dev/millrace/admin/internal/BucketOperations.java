package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.OperationResult;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.OperatorWrites;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

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

  public BucketOperations(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Fills limits; an empty set fills all. */
  public OperationResult reset(BucketKey bucket, Set<String> limits, String id) {
    String what = new TreeSet<>(limits).toString();
    return run(
        new Operation(id, "bucket.reset", bucket, what, limits),
        (shards, nowMs) ->
            plans(
                shards,
                (i, op) -> {
                  BucketState shard = shards.get(i);
                  return limits.isEmpty()
                      ? OperatorWrites.reset(shard, nowMs, settings(), op)
                      : OperatorWrites.reset(shard, among(shard, limits), nowMs, settings(), op);
                }));
  }

  /** Adds tokens, to each shard its part. */
  public OperationResult topUp(BucketKey bucket, Map<String, Long> amountsMilli, String id) {
    String what = new TreeMap<>(amountsMilli).toString();
    return run(
        new Operation(id, "bucket.topUp", bucket, what, amountsMilli.keySet()),
        (shards, nowMs) -> {
          List<Map<String, Long>> parts = TopUp.parts(shards, amountsMilli, nowMs);
          return plans(
              shards,
              (i, op) -> OperatorWrites.topUp(shards.get(i), parts.get(i), nowMs, settings(), op));
        });
  }

  private List<WritePlan> plans(
      List<BucketState> shards, BiFunction<Integer, String, WritePlan> plan) {
    List<WritePlan> plans = new ArrayList<>(shards.size());
    for (int i = 0; i < shards.size(); i++) {
      plans.add(plan.apply(i, scope.tools().ops().get()));
    }
    return plans;
  }

  private PlanSettings settings() {
    return scope.options().plan();
  }

  /** An operation, with the description by which another one with the same id is recognised. */
  private record Operation(
      String id, String action, BucketKey bucket, String what, Set<String> limits) {
    String noteId() {
      return JobRunner.OPERATION + JobRunner.requireId(id);
    }

    Map<String, String> arguments() {
      return Map.ofEntries(
          Map.entry("action", action),
          Map.entry("entity", bucket.entityId()),
          Map.entry("resource", bucket.resource()),
          Map.entry("what", what));
    }
  }

  private interface Plan {
    /** One write for each shard, in their order. */
    List<WritePlan> of(List<BucketState> shards, long nowMs);
  }

  private OperationResult run(Operation operation, Plan plan) {
    JobRecord note = JobRunner.find(scope, operation.noteId());
    for (int attempt = 1; note == null && attempt <= MAX_ATTEMPTS; attempt++) {
      OperationResult result = attempt(operation, plan, attempt);
      if (result != null) {
        return result;
      }
      note = JobRunner.find(scope, operation.noteId());
    }
    if (note != null) {
      return doneBefore(operation, note);
    }
    throw new LimiterUnavailableException(
        "other writers changed the bucket on every attempt",
        Map.of("bucket", operation.bucket(), "attempts", MAX_ATTEMPTS),
        null);
  }

  private @Nullable OperationResult attempt(Operation operation, Plan plan, int attempt) {
    BucketKey bucket = operation.bucket();
    List<BucketState> shards = read(bucket);
    requireLimits(bucket, shards, operation.limits());
    long nowMs = scope.nowMs();
    List<WritePlan> planned = plan.of(shards, nowMs);
    List<WritePlan> plans = new ArrayList<>(shards.size());
    List<BucketState> after = new ArrayList<>(shards.size());
    for (int i = 0; i < shards.size(); i++) {
      plans.add(planned.get(i).priced(shards.get(i), UNITS * attempt, settings().writeUnits()));
      after.add(after(shards.get(i), plans.get(i)));
    }
    Map<String, String> is = balances(after, nowMs);
    is.put("operation", operation.id());
    is.put("resource", bucket.resource());
    String subject = AuditSubjects.ofEntity(bucket.entityId());
    RecordChange event = scope.audit(subject, operation.action(), balances(shards, nowMs), is);
    RecordChange note = new RecordChange.Put(note(operation, shards.size(), nowMs), 0);
    return scope.commit(plans, List.of(event, note)) == null
        ? new OperationResult(operation.id(), false, shards.size(), Instant.ofEpochMilli(nowMs))
        : null;
  }

  private JobRecord note(Operation operation, int shards, long nowMs) {
    RecordKey.Job key = new RecordKey.Job(scope.id(), operation.noteId());
    String kind = JobKind.OPERATION.text();
    long expiresAtSeconds =
        TimeUnit.MILLISECONDS.toSeconds(nowMs) + TimeUnit.DAYS.toSeconds(scope.retentionDays());
    return new JobRecord(
        key,
        1,
        kind,
        operation.arguments(),
        null,
        shards,
        shards,
        true,
        nowMs,
        nowMs,
        expiresAtSeconds);
  }

  private static OperationResult doneBefore(Operation operation, JobRecord note) {
    if (!note.arguments().equals(operation.arguments())) {
      throw ChangeRefusedException.of(
          Reason.OPERATION_REUSED, "operation", operation.id(), "was", note.arguments());
    }
    return new OperationResult(
        operation.id(), true, (int) note.changed(), Instant.ofEpochMilli(note.updatedAtMs()));
  }

  /**
   * All shards. A write requires the level that its shard was read with. So when the shards were
   * the whole bucket, and all of them are written, no other shard was split off meanwhile.
   */
  private List<BucketState> read(BucketKey first) {
    List<BucketState> shards = BucketReads.shards(scope, first, /* believed= */ 1);
    if (shards.size() > MAX_SHARDS) {
      throw ChangeRefusedException.of(
          Reason.TOO_MANY_SHARDS, "bucket", first, "shards", shards.size(), "most", MAX_SHARDS);
    }
    if (!shards.isEmpty() && !BucketReads.areAll(shards)) {
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
        throw ChangeRefusedException.of(Reason.UNKNOWN_LIMIT, "bucket", bucket, "limit", limit);
      }
    }
  }

  /** Limits that come with calls are not in every shard yet; a missing one starts full. */
  private static Set<String> among(BucketState shard, Set<String> limits) {
    Set<String> known = new HashSet<>(limits);
    known.removeIf(limit -> shard.find(limit) == null);
    return known;
  }

  /** Sets the target number of shards; returns whether it was different before. */
  public boolean resize(BucketKey first, int shards) {
    return scope.retry("resize " + first, () -> resizeOnce(first, shards));
  }

  private @Nullable Boolean resizeOnce(BucketKey first, int shards) {
    BucketState state = scope.calls().readAll(List.of(first)).get(first);
    if (state == null) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_BUCKET, "bucket", first);
    }
    int before = state.shardCount();
    if (before == shards) {
      return false;
    }
    WritePlan resize =
        new WritePlan.Resize(
            first, before, shards, /* addWcuMilli= */ 0, scope.tools().ops().get());
    WritePlan plan = resize.priced(state, UNITS, scope.options().plan().writeUnits());
    RecordChange event =
        scope.audit(
            AuditSubjects.ofEntity(first.entityId()),
            "bucket.resize",
            fields(first, before),
            fields(first, shards));
    return scope.commit(List.of(plan), List.of(event)) == null ? true : null;
  }

  private static Map<String, String> fields(BucketKey first, int shards) {
    return Map.of("resource", first.resource(), "shards", String.valueOf(shards));
  }

  /** The balances of a bucket, as an audit event shows them. */
  private static Map<String, String> balances(List<BucketState> shards, long nowMs) {
    Map<String, String> fields = new TreeMap<>();
    for (BucketReport.Balance sum : BucketReads.sums(shards, nowMs)) {
      fields.put("tokens." + sum.limit().name(), Limit.tokens(sum.availableMilli()));
    }
    return fields;
  }

  /** The shard after the write. */
  private static BucketState after(BucketState shard, WritePlan write) {
    BucketState after = PlanEffect.apply(shard, write);
    if (after == null) {
      throw new IllegalStateException(
          "the plan does not apply to the state it was made for: " + write);
    }
    return after;
  }
}
