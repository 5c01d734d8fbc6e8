package dev.millrace.admin.internal;

import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records of regions that share limits, in one namespace. Their meaning is up to the exchange
 * between regions; here they are stored, with audit events, and applied to the buckets.
 */
public final class RegionAdmin {
  private final NamespaceScope scope;

  public RegionAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** The prefix of every key of the namespace. */
  public String namespaceId() {
    return scope.id();
  }

  /** The region record of the whole namespace; empty when it shares nothing. */
  public SortedMap<String, String> settings() {
    ConfigRecord record = (ConfigRecord) scope.lookup(RecordKey.Config.ofSystem(scope.id()));
    return texts(record);
  }

  private static SortedMap<String, String> texts(@Nullable ConfigRecord record) {
    RegionsPart regions = record == null ? null : record.regions();
    return regions == null ? new TreeMap<>() : new TreeMap<>(regions.texts());
  }

  /** The region record of a target, if any. */
  public SortedMap<String, String> kept(LimitTarget target) {
    return texts((ConfigRecord) scope.lookup(target.in(scope.id())));
  }

  /**
   * Changes the region record of the whole namespace, together with its audit event.
   *
   * @param change computes the new record from the stored one; called again when another process
   *     changed it first. An exception that it throws reaches the caller, and nothing is changed
   */
  public ChangeResult settings(UnaryOperator<SortedMap<String, String>> change) {
    return new ConfigChanges(scope)
        .settings(
            config -> config.withRegions(new RegionsPart(null, null, change.apply(texts(config)))));
  }

  /**
   * Shares limits, replacing those that the target had.
   *
   * @param target a resource, or one entity and resource: the other levels have no index by which
   *     shared limits could be found
   * @param whole the limits that all regions share
   * @param part the limits that this region enforces at first, and its own limits
   */
  public ChangeResult share(
      LimitTarget target, LimitSet whole, LimitSet part, ProgressListener progress) {
    if (target.level() != ConfigLevel.RESOURCE && target.level() != ConfigLevel.ENTITY_RESOURCE) {
      throw new IllegalArgumentException(
          "level " + target.level().label() + " cannot be shared: a resource can, or an entity's");
    }
    return new ConfigChanges(scope)
        .change(
            target.in(scope.id()),
            "limits.share",
            ConfigChanges.Reach.LIMITS,
            config -> config.withShared(whole, part),
            progress);
  }

  /** Marks a target as having shared limits below it; the other fields of its record stay. */
  public ChangeResult mark(LimitTarget target, ProgressListener progress) {
    return new ConfigChanges(scope).mark(target.in(scope.id()), progress);
  }
}
