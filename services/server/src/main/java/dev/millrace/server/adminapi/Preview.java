package dev.millrace.server.adminapi;

import dev.millrace.LimitSet;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.StoredLimits;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.manifest.plan.AffectedBuckets;
import dev.millrace.manifest.plan.BlastRadius;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who would be affected by other limits of a level, without writing any. Whoever has limits from a
 * stronger level is not.
 */
final class Preview {
  /** Most buckets that are looked at for one preview. */
  static final int MAX_EXAMINED = 5_000;

  /** Most pages that are read for one preview; of a whole namespace many may be empty. */
  static final int MAX_PAGES = 200;

  /** Most buckets that are told with what holds for them before and after. */
  static final int MAX_SAMPLE = 20;

  private Preview() {}

  /**
   * Looks.
   *
   * @param after the new limits, null when they are to be deleted
   */
  static Map<String, @Nullable Object> of(Call call, LimitTarget target, @Nullable LimitSet after) {
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
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("preview", true);
    json.put("level", target.level().label());
    json.put(
        "before",
        AdminJson.of(namespace.limits().get(target).map(StoredLimits::limits).orElse(null)));
    json.put("after", AdminJson.of(after));
    json.put("buckets", affected.buckets());
    json.put("examined", affected.examined());
    json.put("complete", affected.isComplete());
    List<Map<String, @Nullable Object>> told = new ArrayList<>();
    for (BucketReport bucket : sample) {
      told.add(one(namespace, bucket, target.level(), after));
    }
    json.put("sample", told);
    json.put("refused", after == null ? List.of() : refused(call, namespace, target, after));
    return json;
  }

  private static Map<String, @Nullable Object> one(
      NamespaceAdmin namespace,
      BucketReport bucket,
      ConfigLevel changed,
      @Nullable LimitSet after) {
    LimitExplanation now = namespace.limits().explain(bucket.entityId(), bucket.resource());
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("entity", bucket.entityId());
    json.put("resource", bucket.resource());
    ConfigLevel level = now.level();
    json.put("levelBefore", level == null ? null : level.label());
    json.put("before", now.limits().stream().map(origin -> AdminJson.of(origin.limit())).toList());
    if (after != null) {
      json.put("levelAfter", changed.label());
      json.put("after", AdminJson.of(after));
    } else {
      StoredLimits next = withoutLevel(now, changed);
      json.put("levelAfter", next == null ? null : next.target().level().label());
      json.put("after", AdminJson.of(next == null ? null : next.limits()));
    }
    return json;
  }

  private static @Nullable StoredLimits withoutLevel(LimitExplanation now, ConfigLevel gone) {
    return now.levels().stream()
        .filter(stored -> stored.limits() != null && stored.target().level() != gone)
        .findFirst()
        .orElse(null);
  }

  /**
   * Who used more in an hour of the last day than the new limits admit. Only told of one entity and
   * resource: of a resource it would mean to look at everybody, hour by hour.
   */
  private static List<Map<String, Object>> refused(
      Call call, NamespaceAdmin namespace, LimitTarget target, LimitSet after) {
    List<Map<String, Object>> told = new ArrayList<>();
    if (target.level() == ConfigLevel.ENTITY_RESOURCE) {
      BlastRadius radius =
          new BlastRadius(namespace, namespace.usage(call.parts().usage()), call.now());
      radius.lookAtUsage(target, after);
      for (BlastRadius.AffectedEntity one : radius.refused()) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("entity", one.entityId());
        json.put("resource", one.resource());
        json.put("limit", one.limit().name());
        json.put("usedMilli", one.usedMilli());
        json.put("mostMilli", one.mostMilli());
        json.put("hour", one.hour().toString());
        told.add(json);
      }
    }
    return told;
  }
}
