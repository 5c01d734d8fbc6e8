package dev.millrace.admin;

import dev.millrace.admin.internal.ConfigChanges;
import dev.millrace.admin.internal.Scope;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.directory.ConfigRecord;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.RegionsPart;
import dev.millrace.core.limit.LimitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What regions that share limits keep in a namespace. What it means is known by those who exchange
 * it; here it is stored, with its audit events, and brought to the buckets.
 */
public final class RegionAdmin {
  private final Scope scope;

  RegionAdmin(Scope scope) {
    this.scope = scope;
  }

  /** What every key of the namespace begins with. */
  public String namespaceId() {
    return scope.id();
  }

  /** What is kept for the whole namespace; empty when it shares nothing. */
  public SortedMap<String, String> settings() {
    ConfigRecord record =
        (ConfigRecord) scope.calls().lookup(RecordKey.Config.ofSystem(scope.id()));
    return texts(record);
  }

  private static SortedMap<String, String> texts(
      @org.jspecify.annotations.Nullable ConfigRecord record) {
    RegionsPart regions = record == null ? null : record.regions();
    return regions == null ? new TreeMap<>() : new TreeMap<>(regions.texts());
  }

  /** What is kept at a target; empty when nothing is. */
  public SortedMap<String, String> kept(LimitTarget target) {
    return texts((ConfigRecord) scope.calls().lookup(target.in(scope.id())));
  }

  /**
   * Changes what is kept for the whole namespace, together with its audit event.
   *
   * @param change from what is stored, which may be asked for again when somebody was faster; what
   *     it throws reaches the caller, and nothing is changed
   */
  public ChangeResult settings(UnaryOperator<SortedMap<String, String>> change) {
    return new ConfigChanges(scope)
        .settings(
            config -> config.withRegions(new RegionsPart(null, null, change.apply(texts(config)))));
  }

  /**
   * Shares limits, in the place of those that the target had.
   *
   * @param target a resource, or one entity and resource: the others have no index by which what is
   *     shared could be found
   * @param whole what all regions share
   * @param part what this region enforces at first, and limits of its own
   */
  public ChangeResult share(LimitTarget target, LimitSet whole, LimitSet part, Progress progress) {
    if (target.level() != ConfigLevel.RESOURCE && target.level() != ConfigLevel.ENTITY_RESOURCE) {
      throw new IllegalArgumentException(
          "level " + target.level().label() + " cannot be shared: a resource can, or an entity's");
    }
    return new ConfigChanges(scope).share(target.in(scope.id()), whole, part, progress);
  }

  /** Keeps a note at a target that something there is shared; what it says otherwise stays. */
  public ChangeResult mark(LimitTarget target, Progress progress) {
    return new ConfigChanges(scope).mark(target.in(scope.id()), progress);
  }
}
