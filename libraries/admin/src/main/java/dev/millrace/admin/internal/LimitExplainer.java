package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.StoredLimits;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of limits, from the same records and by the same rules by which limiters resolve
 * them.
 */
public final class LimitExplainer {
  private final NamespaceScope scope;
  private final Function<ConfigRecord, StoredLimits> view;

  /** For one namespace. */
  public LimitExplainer(NamespaceScope scope, Function<ConfigRecord, StoredLimits> view) {
    this.scope = scope;
    this.view = view;
  }

  /** Explains one (entity, resource). */
  public LimitExplanation explain(String entityId, String resource) {
    List<RecordKey> keys = new ArrayList<>(ConfigRecords.keys(scope.id(), entityId, resource));
    List<EntityRecord> chain = AncestorChains.of(scope, entityId);
    chain.forEach(
        each -> keys.addAll(ConfigRecords.keys(scope.id(), each.key().entityId(), resource)));
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(keys);
    ConfigRecords levels = ConfigRecords.of(scope.id(), entityId, resource, found::get);
    ResolvedConfig resolved = levels.resolve();
    return new LimitExplanation(
        entityId,
        levels.entity() != null,
        resource,
        levels.winner(),
        origins(levels),
        stored(levels),
        cascade(levels),
        new LimitExplanation.Switch(
            levels.entity() != null && levels.entity().disabled(),
            levels.resource() != null && levels.resource().disabled()),
        ancestors(chain, resource, found),
        resolved.stamp().versions());
  }

  private static List<LimitExplanation.Origin> origins(ConfigRecords levels) {
    ConfigLevel winner = levels.winner();
    ConfigRecord config = winner == null ? null : levels.at(winner);
    LimitSet limits = config == null ? null : config.limits();
    List<LimitExplanation.Origin> origins = new ArrayList<>();
    if (winner != null && limits != null) {
      for (Limit limit : limits) {
        origins.add(
            new LimitExplanation.Origin(limit, winner, elsewhere(levels, winner, limit.name())));
      }
    }
    return origins;
  }

  private static Map<ConfigLevel, Limit> elsewhere(
      ConfigRecords levels, ConfigLevel winner, String name) {
    Map<ConfigLevel, Limit> elsewhere = new EnumMap<>(ConfigLevel.class);
    for (ConfigLevel level : ConfigLevel.values()) {
      ConfigRecord config = levels.at(level);
      LimitSet limits = config == null ? null : config.limits();
      if (level.compareTo(winner) > 0 && limits != null && limits.indexOf(name) >= 0) {
        elsewhere.put(level, limits.get(limits.indexOf(name)));
      }
    }
    return elsewhere;
  }

  private List<StoredLimits> stored(ConfigRecords levels) {
    List<StoredLimits> stored = new ArrayList<>();
    for (ConfigLevel level : ConfigLevel.values()) {
      ConfigRecord config = levels.at(level);
      if (config != null
          && (config.limits() != null || config.cascade() != null || config.disabled())) {
        stored.add(view.apply(config));
      }
    }
    return stored;
  }

  private static LimitExplanation.Cascade cascade(ConfigRecords levels) {
    ConfigLevel from = null;
    boolean draws = false;
    if (says(levels.entityResource()) != null) {
      from = ConfigLevel.ENTITY_RESOURCE;
      draws = Boolean.TRUE.equals(says(levels.entityResource()));
    } else if (says(levels.resource()) != null) {
      from = ConfigLevel.RESOURCE;
      draws = Boolean.TRUE.equals(says(levels.resource()));
    } else if (levels.entity() != null) {
      from = ConfigLevel.ENTITY;
      draws = levels.entity().cascade();
    }
    return new LimitExplanation.Cascade(draws, from);
  }

  private static @Nullable Boolean says(@Nullable ConfigRecord config) {
    return config == null ? null : config.cascade();
  }

  private List<LimitExplanation.Ancestor> ancestors(
      List<EntityRecord> chain, String resource, Map<RecordKey, StoredRecord> found) {
    List<LimitExplanation.Ancestor> ancestors = new ArrayList<>();
    boolean drawn = true;
    for (int i = 1; i < chain.size(); i++) {
      String belowId = chain.get(i - 1).key().entityId();
      String id = chain.get(i).key().entityId();
      ResolvedConfig below = ConfigRecords.of(scope.id(), belowId, resource, found::get).resolve();
      ResolvedConfig own = ConfigRecords.of(scope.id(), id, resource, found::get).resolve();
      drawn = drawn && id.equals(below.drawsOn());
      ancestors.add(new LimitExplanation.Ancestor(id, drawn, own.stamp().disabled()));
    }
    return ancestors;
  }
}
