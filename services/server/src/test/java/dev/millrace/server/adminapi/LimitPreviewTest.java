package dev.millrace.server.adminapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.internal.AffectedBuckets;
import dev.millrace.manifest.internal.AffectedBuckets.Bounds;
import dev.millrace.testkit.InMemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A preview that reached its bounds is not complete. */
class LimitPreviewTest {
  private static final int BUCKETS = 120;

  private final InMemoryStore store = new InMemoryStore();
  private final Admin admin = Admin.of(store, AdminOptions.of("test"));
  private final NamespaceAdmin namespace = admin.in("default");

  @BeforeEach
  void makeBuckets() {
    var unused =
        namespace
            .limits()
            .set(LimitTarget.resource("gpt"), LimitSet.of(Limit.perMinute("rpm", 10)));
    try (RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults())) {
      for (int i = 0; i < BUCKETS; i++) {
        try (Lease lease =
            limiter.acquire(AcquireRequest.of("key-" + i, "gpt").consume("rpm", 1))) {
          assertThat(lease.isDegraded()).isFalse();
        }
      }
    }
  }

  @AfterEach
  void close() {
    admin.close();
  }

  private AffectedBuckets affected(LimitTarget target, Bounds bounds) {
    return AffectedBuckets.of(namespace, target, bounds, bucket -> {});
  }

  @Test
  void affected_withinTheBounds_areAll() {
    assertThat(affected(LimitTarget.resource("gpt"), new Bounds(1_000, 10)))
        .isEqualTo(new AffectedBuckets(BUCKETS, BUCKETS, true));
    assertThat(affected(LimitTarget.entityResource("key-7", "gpt"), new Bounds(1_000, 10)))
        .isEqualTo(new AffectedBuckets(1, 1, true));
  }

  @Test
  void affected_moreBucketsThanAreLookedAt_isNotComplete() {
    AffectedBuckets affected = affected(LimitTarget.resource("gpt"), new Bounds(50, 10));

    assertThat(affected.isComplete()).isFalse();
    assertThat(affected.examined()).isBetween(50L, BUCKETS - 1L);
  }

  @Test
  void affected_morePagesThanAreRead_isNotComplete() {
    assertThat(affected(LimitTarget.resource("gpt"), new Bounds(1_000, 1)).isComplete()).isFalse();
  }

  @Test
  void affected_bucketWithLimitsOfACall_isNotThat() {
    try (RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults());
        Lease lease =
            limiter.acquire(
                AcquireRequest.of("own", "other")
                    .limits(Limit.perMinute("rpm", 5))
                    .consume("rpm", 1))) {
      assertThat(lease.isDegraded()).isFalse();
    }

    assertThat(affected(LimitTarget.entityResource("own", "other"), new Bounds(1_000, 10)))
        .isEqualTo(new AffectedBuckets(0, 1, true));
  }

  @Test
  void affected_strongerLevelGivesTheLimits_areNotThose() {
    assertThat(affected(LimitTarget.system(), new Bounds(1_000, 1_000)).buckets()).isZero();
    assertThat(affected(LimitTarget.entity("key-1"), new Bounds(1_000, 10)).buckets()).isEqualTo(1);
  }
}
