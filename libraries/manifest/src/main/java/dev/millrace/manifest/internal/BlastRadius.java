package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.admin.Usage;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.usage.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buckets and entities that changed limits would affect: the number of buckets, and the
 * entities that used more in an hour of the last day than the new limit could have admitted in one.
 * That is a lower bound: within an hour, a limit by the minute may refuse more.
 *
 * <p>The search is bounded. What was not examined is counted, so that a short result is not
 * mistaken for safety.
 */
public final class BlastRadius {
  /** Most levels whose buckets and usage are examined. */
  public static final int MAX_LEVELS = 1_000;

  /** Most buckets that are examined for one level. */
  static final int MAX_BUCKETS = 100_000;

  /** Most pages of buckets that are read for one level. */
  static final int MAX_PAGES = 1_000_000;

  private static final AffectedBuckets.Bounds MOST =
      new AffectedBuckets.Bounds(MAX_BUCKETS, MAX_PAGES);

  /** Most entities that are reported. */
  static final int MAX_TOLD = 100;

  private static final int HOURS = 24;
  private static final Duration HOUR = Duration.ofHours(1);

  private final NamespaceAdmin namespace;
  private final @Nullable UsageAdmin usage;
  private final Instant now;
  private final List<AffectedEntity> refused = new ArrayList<>();
  private long buckets;
  private long levels;
  private long unseen;
  private long refusedMore;

  /**
   * An entity whose requests would have been refused.
   *
   * @param limit the new limit
   * @param usedMilli the usage in that hour
   * @param mostMilli the most that the new limit admits in an hour
   * @param hour the beginning of the hour
   */
  public record AffectedEntity(
      String entityId,
      String resource,
      Limit limit,
      long usedMilli,
      long mostMilli,
      Instant hour) {}

  /**
   * An empty result, before anything was examined.
   *
   * @param usage null when usage is not counted
   */
  public BlastRadius(NamespaceAdmin namespace, @Nullable UsageAdmin usage, Instant now) {
    this.namespace = namespace;
    this.usage = usage;
    this.now = now;
  }

  /** The number of affected buckets, of the levels that were examined. */
  public long buckets() {
    return buckets;
  }

  /** The number of changed levels that were not examined. */
  public long unseenLevels() {
    return unseen;
  }

  /** The entities that would have been refused, the first of them. */
  public List<AffectedEntity> refused() {
    return List.copyOf(refused);
  }

  public long refusedMore() {
    return refusedMore;
  }

  void look(ManifestChange change) {
    LimitTarget target = null;
    LimitSet limits = null;
    if (change.action() instanceof ConfigAction.SetLimits set) {
      target = set.target();
      limits = set.limits();
    } else if (change.action() instanceof ConfigAction.DeleteLimits deleted) {
      target = deleted.target();
    } else if (change.action() instanceof ConfigAction.Share share) {
      target = share.target();
    }
    if (target == null) {
      return;
    }
    if (++levels > MAX_LEVELS) {
      unseen++;
      return;
    }
    buckets += AffectedBuckets.of(namespace, target, MOST, bucket -> {}).buckets();
    if (limits != null) {
      lookAtUsage(target, limits);
    }
  }

  /** Examines the usage of entities against the new limits. */
  public void lookAtUsage(LimitTarget target, LimitSet limits) {
    if (usage != null) {
      lookAtUsage(usage, target, limits);
    }
  }

  private void lookAtUsage(UsageAdmin counted, LimitTarget target, LimitSet limits) {
    if (target.resource().isEmpty()) {
      return; // usage is counted by resource; the resources that fall back to these limits are not
      // known
    }
    if (target.level() == ConfigLevel.ENTITY_RESOURCE) {
      Instant from =
          Instant.ofEpochMilli(
              Window.HOUR.startOf(now.minus(HOUR.multipliedBy(HOURS)).toEpochMilli()));
      Page<Usage> day =
          counted.range(
              target.entityId(), target.resource(), Window.HOUR, from, now, Page.MAX_SIZE, null);
      day.items().forEach(hour -> judge(hour, limits));
      return;
    }
    for (int ago = 0; ago < HOURS; ago++) {
      Instant at = now.minus(HOUR.multipliedBy(ago));
      for (Limit limit : limits) {
        List<Usage> top =
            counted.top(target.resource(), limit.name(), Window.HOUR, at, UsageAdmin.MAX_TOP);
        for (Usage hour : top) {
          if (hour.milli(limit.name()) > mostMilli(limit) && follows(hour)) {
            judge(hour, LimitSet.of(limit));
          }
        }
      }
    }
  }

  /** Whether an entity has its limits of a resource from the resource. */
  private boolean follows(Usage hour) {
    ConfigLevel level = namespace.limits().explain(hour.entityId(), hour.resource()).level();
    return level == null || level.compareTo(ConfigLevel.RESOURCE) >= 0;
  }

  private void judge(Usage hour, LimitSet limits) {
    for (Limit limit : limits) {
      long used = hour.milli(limit.name());
      if (!limit.soft() && used > mostMilli(limit)) {
        AffectedEntity affected =
            new AffectedEntity(
                hour.entityId(), hour.resource(), limit, used, mostMilli(limit), hour.start());
        if (refused.size() < MAX_TOLD) {
          refused.add(affected);
        } else {
          refusedMore++;
        }
      }
    }
  }

  /** The most that a limit admits in an hour: a full bucket, and the refill meanwhile. */
  static long mostMilli(Limit limit) {
    double returned =
        (double) limit.refill().amountMilli() * HOUR.toMillis() / limit.refill().periodMs();
    double most = limit.burstMilli() + returned;
    return most >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(most); // up: no false alarm
  }
}
