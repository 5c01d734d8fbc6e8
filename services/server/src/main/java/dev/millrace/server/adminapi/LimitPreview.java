package dev.millrace.server.adminapi;

import dev.millrace.LimitSet;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.manifest.internal.AffectedBuckets;
import dev.millrace.manifest.internal.BlastRadius;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of other limits of a level on existing buckets, without a change of them. Buckets with
 * limits from a stronger level are not affected.
 *
 * @param preview always true, to tell this response from that to a change
 * @param buckets the number of affected buckets
 * @param examined the number of buckets that were read
 * @param complete whether all were read
 * @param sample some affected buckets with their limits before and after
 * @param refused usage of the last day that the new limits would not have admitted
 */
record LimitPreview(
    boolean preview,
    String level,
    @Nullable Object before,
    @Nullable Object after,
    long buckets,
    long examined,
    boolean complete,
    List<Sample> sample,
    List<OverLimit> refused) {
  /** Most buckets that are read for one preview. */
  private static final int MAX_EXAMINED = 5_000;

  /** Most pages that are read for one preview; many pages of a namespace may be empty. */
  private static final int MAX_PAGES = 200;

  private static final int MAX_SAMPLE = 20;

  /** An affected bucket. */
  record Sample(
      String entity,
      String resource,
      @Nullable String levelBefore,
      Object before,
      @Nullable String levelAfter,
      @Nullable Object after) {}

  /** An hour with more usage than the new limits admit. */
  record OverLimit(
      String entity, String resource, String limit, long usedMilli, long mostMilli, Instant hour) {}

  /**
   * The preview of a change.
   *
   * @param after the new limits, null for their deletion
   */
  static LimitPreview of(AdminCall call, LimitTarget target, @Nullable LimitSet after) {
    NamespaceAdmin namespace = call.namespace();
    List<BucketReport> sample = new ArrayList<>();
    AffectedBuckets affected =
        AffectedBuckets.of(
            namespace,
            target,
            new AffectedBuckets.Bounds(MAX_EXAMINED, MAX_PAGES),
            bucket -> {
              if (sample.size() < MAX_SAMPLE) {
                sample.add(bucket);
              }
            });
    LimitSet before = namespace.limits().get(target).map(StoredLimits::limits).orElse(null);
    return new LimitPreview(
        true,
        target.level().label(),
        AdminJson.of(before),
        AdminJson.of(after),
        affected.buckets(),
        affected.examined(),
        affected.isComplete(),
        sample.stream().map(bucket -> sample(namespace, bucket, target.level(), after)).toList(),
        after == null ? List.of() : overLimit(call, namespace, target, after));
  }

  private static Sample sample(
      NamespaceAdmin namespace,
      BucketReport bucket,
      ConfigLevel changed,
      @Nullable LimitSet after) {
    LimitExplanation now = namespace.limits().explain(bucket.entityId(), bucket.resource());
    ConfigLevel levelAfter = changed;
    LimitSet limitsAfter = after;
    if (after == null) {
      StoredLimits next =
          now.levels().stream()
              .filter(stored -> stored.limits() != null && stored.target().level() != changed)
              .findFirst()
              .orElse(null);
      levelAfter = next == null ? null : next.target().level();
      limitsAfter = next == null ? null : next.limits();
    }
    return new Sample(
        bucket.entityId(),
        bucket.resource(),
        label(now.level()),
        now.limits().stream().map(AdminJson::of).toList(),
        label(levelAfter),
        AdminJson.of(limitsAfter));
  }

  private static @Nullable String label(@Nullable ConfigLevel level) {
    return level == null ? null : level.label();
  }

  /** Only for one entity and resource: for a whole resource it would read every bucket's usage. */
  private static List<OverLimit> overLimit(
      AdminCall call, NamespaceAdmin namespace, LimitTarget target, LimitSet after) {
    if (target.level() != ConfigLevel.ENTITY_RESOURCE) {
      return List.of();
    }
    BlastRadius radius = new BlastRadius(namespace, call.usage(), call.now());
    radius.lookAtUsage(target, after);
    return radius.refused().stream()
        .map(
            one ->
                new OverLimit(
                    one.entityId(),
                    one.resource(),
                    one.limit().name(),
                    one.usedMilli(),
                    one.mostMilli(),
                    one.hour()))
        .toList();
  }
}
