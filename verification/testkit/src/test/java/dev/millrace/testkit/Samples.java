package dev.millrace.testkit;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Short words for the calls of these tests. */
public final class Samples {
  public static final LimitSet LIMITS = LimitSet.of(Limit.perMinute("rpm", 100));

  private Samples() {}

  public static BucketKey bucket(String entityId) {
    return BucketKey.first("test", entityId, "gpt-4");
  }

  public static RecordKey.Entity entity(String entityId) {
    return new RecordKey.Entity("test", entityId);
  }

  public static WritePlan create(String entityId) {
    return new WritePlan.Create(BucketState.full(bucket(entityId), LIMITS, 1));
  }

  public static WritePlan charge(String entityId) {
    return new WritePlan.Adjust(
        bucket(entityId), List.of(LimitChange.unconditional("rpm", -1, 1)), 0, "op");
  }

  public static StoreCall write(String entityId) {
    return new StoreCall.Write(charge(entityId));
  }

  /** A write of one of several shards. */
  public static StoreCall writeShard(String entityId, int shard) {
    return new StoreCall.Write(
        new WritePlan.Adjust(bucket(entityId).withShard(shard), List.of(), 0, "op"));
  }

  public static StoreCall resize(String entityId) {
    return new StoreCall.Write(new WritePlan.Resize(bucket(entityId), 1, 2, 0, "op"));
  }

  /** A transaction that takes shard 1 away and writes shard 0. */
  public static StoreCall merge(String token, String entityId) {
    WritePlan remove = new WritePlan.Remove(bucket(entityId).withShard(1), "op-0", "op");
    return new StoreCall.Transaction(List.of(charge(entityId), remove), List.of(), token);
  }

  /** A transaction that charges the buckets of these entities. */
  public static StoreCall transaction(String token, String... entityIds) {
    return new StoreCall.Transaction(
        Arrays.stream(entityIds).map(Samples::charge).toList(), List.of(), token);
  }

  /** A transaction that makes the records of these entities. */
  public static StoreCall records(String token, String... entityIds) {
    return new StoreCall.Transaction(
        List.of(), Arrays.stream(entityIds).map(Samples::putEntity).toList(), token);
  }

  private static RecordChange putEntity(String entityId) {
    EntityRecord record =
        new EntityRecord(
            entity(entityId), 1, "", null, List.of(), false, false, Map.of(), 1_000, 0);
    return new RecordChange.Put(record, RecordChange.Put.ABSENT);
  }
}
