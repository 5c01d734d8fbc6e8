package dev.millrace.dynamodb;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.Arrays;
import java.util.List;

/** Buckets and plans to test with. */
public final class Buckets {
  public static final BucketKey KEY = BucketKey.first("ns", "user-1", "gpt-4");
  public static final long NOW_MS = 1_700_000_000_000L;
  public static final long EXPIRES_SECONDS = 1_700_003_600L;

  private Buckets() {}

  /** A bucket of full limits of 10 tokens a minute. */
  public static BucketState state(String... limitNames) {
    List<LimitState> limits =
        Arrays.stream(limitNames).map(n -> LimitState.full(Limit.perMinute(n, 10))).toList();
    return new BucketState(KEY, NOW_MS, limits, EXPIRES_SECONDS, "op-0");
  }

  /** One shard of several, with a full limit of 10 tokens a minute. */
  public static BucketState shard(int shard, Division division) {
    BucketState whole = state("rpm");
    return new BucketState(
        KEY.withShard(shard),
        NOW_MS,
        whole.limits(),
        division,
        /* wcuMilli= */ 7,
        BucketState.NEVER,
        whole.op(),
        whole.stamp());
  }

  public static WritePlan.Create create(String... limitNames) {
    return new WritePlan.Create(state(limitNames));
  }

  public static WritePlan.Locked locked(LimitChange... changes) {
    return locked(WritePlan.Parameters.UNCHANGED, EXPIRES_SECONDS, changes);
  }

  public static WritePlan.Locked locked(
      WritePlan.Parameters parameters, long expiresAtSeconds, LimitChange... changes) {
    return new WritePlan.Locked(
        KEY, NOW_MS, NOW_MS + 5, List.of(changes), parameters, expiresAtSeconds, "op-1");
  }

  public static WritePlan.Consume consume(LimitChange... changes) {
    return new WritePlan.Consume(KEY, NOW_MS - 100, List.of(changes), EXPIRES_SECONDS, "op-1");
  }

  public static WritePlan.Adjust adjust(LimitChange... changes) {
    return new WritePlan.Adjust(KEY, List.of(changes), EXPIRES_SECONDS, "op-1");
  }
}
