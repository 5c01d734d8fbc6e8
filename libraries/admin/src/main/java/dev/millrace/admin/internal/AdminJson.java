package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.Entity;
import dev.millrace.admin.JobView;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.OperationResult;
import dev.millrace.admin.ShardView;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.Usage;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Results of the administration as named fields: the JSON of the server and of {@code --json}. */
public final class AdminJson {
  private AdminJson() {}

  public static Map<String, Object> of(NamespaceView namespace) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", namespace.name());
    json.put("id", namespace.id());
    json.put("state", namespace.state().name().toLowerCase(Locale.ROOT));
    json.put("changedAt", namespace.changedAt().toString());
    return json;
  }

  public static Map<String, @Nullable Object> of(Entity entity) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", entity.id());
    json.put("name", entity.name());
    json.put("parent", entity.parentId());
    json.put("cascade", entity.cascade());
    json.put("disabled", entity.disabled());
    json.put("metadata", new TreeMap<>(entity.metadata()));
    json.put("children", entity.children());
    json.put("createdAt", entity.createdAt().toString());
    json.put("version", entity.version());
    return json;
  }

  public static Map<String, Object> of(Limit limit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", limit.name());
    json.put("text", limit.toString());
    json.put("capacityMilli", limit.capacityMilli());
    json.put("burstMilli", limit.burstMilli());
    json.put("refillMilli", limit.refill().amountMilli());
    json.put("periodMs", limit.refill().periodMs());
    json.put("soft", limit.soft());
    return json;
  }

  public static List<Map<String, Object>> of(@Nullable LimitSet limits) {
    List<Map<String, Object>> json = new ArrayList<>();
    if (limits != null) {
      limits.forEach(limit -> json.add(of(limit)));
    }
    return json;
  }

  public static Map<String, @Nullable Object> of(StoredLimits stored) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("level", stored.target().level().label());
    if (!stored.target().entityId().isEmpty()) {
      json.put("entity", stored.target().entityId());
    }
    if (!stored.target().resource().isEmpty()) {
      json.put("resource", stored.target().resource());
    }
    json.put("limits", of(stored.limits()));
    if (stored.shared() != null) {
      json.put("shared", of(stored.shared()));
    }
    json.put("cascade", stored.cascade());
    json.put("disabled", stored.disabled());
    json.put("version", stored.version());
    return json;
  }

  public static Map<String, @Nullable Object> of(ChangeResult result) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("changed", result.changed());
    JobView buckets = result.buckets();
    if (buckets != null) {
      json.put("buckets", progress(buckets));
    }
    return json;
  }

  public static Map<String, Object> progress(JobView job) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("job", job.id());
    json.put("done", job.isDone());
    json.put("examined", job.examined());
    json.put("changed", job.changed());
    return json;
  }

  public static Map<String, Object> of(JobView job) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("job", job.id());
    json.put("kind", job.kind());
    json.put("arguments", new TreeMap<>(job.arguments()));
    json.put("done", job.isDone());
    json.put("examined", job.examined());
    json.put("changed", job.changed());
    json.put("startedAt", job.startedAt().toString());
    json.put("updatedAt", job.updatedAt().toString());
    return json;
  }

  public static Map<String, Object> of(OperationResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("operation", result.operationId());
    json.put("doneBefore", result.doneBefore());
    json.put("shards", result.shards());
    json.put("at", result.at().toString());
    return json;
  }

  public static Map<String, Object> of(BucketReport bucket) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("entity", bucket.entityId());
    json.put("resource", bucket.resource());
    json.put("level", bucket.stamp().level().label());
    json.put("disabled", bucket.stamp().disabled());
    json.put("shards", bucket.shards());
    json.put("targetShards", bucket.targetShards());
    List<Map<String, Object>> limits = new ArrayList<>();
    for (BucketReport.Balance balance : bucket.limits()) {
      Map<String, Object> limit = of(balance.limit());
      limit.put("availableMilli", balance.availableMilli());
      limit.put("consumedMilli", balance.consumedMilli());
      limits.add(limit);
    }
    json.put("limits", limits);
    return json;
  }

  public static Map<String, Object> of(ShardView shard) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("shard", shard.shard());
    json.put("level", shard.level());
    List<Map<String, Object>> limits = new ArrayList<>();
    for (ShardView.Part part : shard.limits()) {
      Map<String, Object> limit = new LinkedHashMap<>();
      limit.put("name", part.limit());
      limit.put("ceilingMilli", part.ceilingMilli());
      limit.put("availableMilli", part.availableMilli());
      limit.put("consumedMilli", part.consumedMilli());
      limits.add(limit);
    }
    json.put("limits", limits);
    return json;
  }

  public static Map<String, Object> of(Usage usage) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("entity", usage.entityId());
    json.put("resource", usage.resource());
    json.put("window", usage.window().toString());
    json.put("start", usage.start().toString());
    json.put("events", usage.events());
    json.put("totalMilli", new TreeMap<>(usage.totalMilli()));
    return json;
  }

  public static Map<String, Object> of(AuditEntry entry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", entry.id());
    json.put("at", entry.at().toString());
    json.put("actor", entry.actor());
    json.put("subject", entry.subject());
    json.put("action", entry.action());
    json.put("before", new TreeMap<>(entry.before()));
    json.put("after", new TreeMap<>(entry.after()));
    json.put("expiresAt", entry.expiresAt().toString());
    return json;
  }

  public static Map<String, @Nullable Object> of(LimitExplanation explanation) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("entity", explanation.entityId());
    json.put("registered", explanation.registered());
    json.put("resource", explanation.resource());
    ConfigLevel level = explanation.level();
    json.put("level", level == null ? null : level.label());
    List<Map<String, Object>> limits = new ArrayList<>();
    for (Limit limit : explanation.limits()) {
      Map<String, Object> each = of(limit);
      each.put("from", level == null ? "" : level.label());
      Map<String, Object> elsewhere = new TreeMap<>();
      explanation
          .elsewhere()
          .getOrDefault(limit.name(), Map.of())
          .forEach((at, other) -> elsewhere.put(at.label(), other.toString()));
      each.put("elsewhere", elsewhere);
      limits.add(each);
    }
    json.put("limits", limits);
    json.put("levels", explanation.levels().stream().map(AdminJson::of).toList());
    json.put("cascade", explanation.cascade());
    ConfigLevel from = explanation.cascadeFrom();
    json.put("cascadeFrom", from == null ? null : from.label());
    json.put("disabledByEntity", explanation.disabledByEntity());
    json.put("disabledByResource", explanation.disabledByResource());
    List<Map<String, Object>> ancestors = new ArrayList<>();
    for (LimitExplanation.Ancestor ancestor : explanation.ancestors()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("entity", ancestor.entityId());
      each.put("drawnOn", ancestor.drawnOn());
      each.put("disabled", ancestor.disabled());
      ancestors.add(each);
    }
    json.put("ancestors", ancestors);
    json.put("versions", of(explanation.versions()));
    return json;
  }

  private static Map<String, Object> of(RecordVersions versions) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("entity", versions.entity());
    json.put("entityResource", versions.entityResource());
    json.put("entityDefault", versions.entityDefault());
    json.put("resource", versions.resource());
    json.put("system", versions.system());
    return json;
  }
}
