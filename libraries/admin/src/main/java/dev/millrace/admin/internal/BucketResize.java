package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of the target number of shards of a bucket, in one transaction with its audit event. */
public final class BucketResize {
  /** Units that a write costs as part of a transaction. */
  private static final int UNITS = 2;

  private final NamespaceScope scope;

  /** For one namespace. */
  public BucketResize(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Returns whether the number was different before. */
  public boolean to(BucketKey first, int shards) {
    return scope.tools().retry().until("resize " + first, () -> attempt(first, shards));
  }

  private @Nullable Boolean attempt(BucketKey first, int shards) {
    BucketState state = scope.calls().readAll(List.of(first)).get(first);
    if (state == null) {
      throw ChangeRefusals.of(Reason.UNKNOWN_BUCKET, "bucket", first);
    }
    int before = state.shardCount();
    if (before == shards) {
      return false;
    }
    WritePlan resize =
        new WritePlan.Resize(
            first, before, shards, /* addWcuMilli= */ 0, scope.tools().ops().get());
    WritePlan plan = resize.priced(state, UNITS, scope.tools().options().plan().writeUnits());
    RecordChange event =
        scope.audit(
            AuditSubjects.ofEntity(first.entityId()),
            "bucket.resize",
            fields(first, before),
            fields(first, shards));
    return scope.calls().commit(List.of(plan), List.of(event)) == null ? true : null;
  }

  private static Map<String, String> fields(BucketKey first, int shards) {
    return Map.of("resource", first.resource(), "shards", String.valueOf(shards));
  }
}
