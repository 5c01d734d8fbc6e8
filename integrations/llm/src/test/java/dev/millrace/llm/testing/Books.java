package dev.millrace.llm.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.llm.LimitCharge;
import dev.millrace.llm.LimitShape;
import dev.millrace.llm.LlmUsage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The consumption of tenants in the table, beside the bill of the provider. Exact as long as the
 * weights of the shape are whole: then the rounding of each call has no effect.
 */
public final class Books {
  /** Longest real wait; only a broken test comes near it. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long GLANCE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long READ_TIMEOUT_MS = 30_000;

  private final BlockingStore store;
  private final LimitShape shape;

  /** The books of {@code store} for limits of this shape. */
  public Books(BlockingStore store, LimitShape shape) {
    this.store = store;
    this.shape = shape;
  }

  /** Whole tokens that each limit counts as consumed; all 0 without a bucket. */
  public Map<String, Long> consumed(String entityId, String resource) {
    BucketKey key = BucketKey.first("default", entityId, resource);
    StoreReply reply = store.execute(new StoreCall.Read(key), READ_TIMEOUT_MS);
    BucketState state = ((StoreReply.Found) reply).state();
    Map<String, Long> consumed = new LinkedHashMap<>();
    for (LimitCharge charge : shape.charges()) {
      LimitState limit = state == null ? null : state.find(charge.limit());
      long milli = limit == null ? 0 : limit.consumedMilli();
      assertThat(milli % Limit.MILLI).as("part of a token of %s", charge.limit()).isZero();
      consumed.put(charge.limit(), milli / Limit.MILLI);
    }
    return consumed;
  }

  /** What the limits should count for a bill. */
  public Map<String, Long> due(Bill bill) {
    return shape.amounts(bill.usage());
  }

  /** What the limits should count for what was used. */
  public Map<String, Long> due(LlmUsage usage) {
    return shape.amounts(usage);
  }

  /** Per limit: what the table counts is what the provider billed. */
  public void requireEqual(String entityId, String resource, Bill bill) {
    assertThat(consumed(entityId, resource))
        .as("consumed by %s of %s", entityId, resource)
        .isEqualTo(due(bill));
  }

  /** A thread of its own for each task: some of them stall, and must not keep others waiting. */
  public static Executor apart() {
    return task -> {
      Thread thread = new Thread(task, "apart");
      thread.setDaemon(true);
      thread.start();
    };
  }

  /** Waits for what must happen. */
  public static void await(String what, BooleanSupplier happened) {
    long endsAt = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > endsAt) {
        throw new AssertionError("did not happen within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }
}
