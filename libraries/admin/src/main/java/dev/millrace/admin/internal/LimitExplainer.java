package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.StoredLimits;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of limits, from the same records and by the same rules by which limiters resolve
 * them.
 */
public final class LimitExplainer {
  private LimitExplainer() {}

  /**
   * Explains one (entity, resource).
   *
   * @param view the view of the configuration stored at a level, null when that is empty
   */
  public static LimitExplanation explain(
      NamespaceScope scope,
      String entityId,
      String resource,
      Function<ConfigRecord, @Nullable StoredLimits> view) {
    List<RecordKey> keys = new ArrayList<>(ConfigRecords.keys(scope.id(), entityId, resource));
    List<EntityRecord> chain = AncestorChains.of(scope, entityId);
    chain.forEach(
        each -> keys.addAll(ConfigRecords.keys(scope.id(), each.key().entityId(), resource)));
    Map<RecordKey, StoredRecord> found = scope.lookup(keys);
    Function<String, ConfigRecords> levelsOf =
        id -> ConfigRecords.of(scope.id(), id, resource, found::get);
    ConfigRecords levels = levelsOf.apply(entityId);
    EntityRecord entity = levels.entity();
    ConfigLevel winner = levels.winner();
    LimitSet limits = limits(levels, winner);
    Map<String, Map<ConfigLevel, Limit>> elsewhere = new HashMap<>();
    if (winner != null && limits != null) {
      limits.forEach(limit -> elsewhere.put(limit.name(), elsewhere(levels, winner, limit.name())));
    }
    ConfigLevel cascadeFrom = cascadeFrom(levels);
    ConfigRecord cascadeConfig =
        cascadeFrom == null || cascadeFrom == ConfigLevel.ENTITY ? null : levels.at(cascadeFrom);
    return new LimitExplanation(
        entityId,
        entity != null,
        resource,
        winner,
        limits == null ? List.of() : limits.asList(),
        elsewhere,
        Arrays.stream(ConfigLevel.values())
            .map(levels::at)
            .filter(Objects::nonNull)
            .map(view)
            .filter(Objects::nonNull)
            .toList(),
        cascadeConfig == null
            ? entity != null && entity.cascade()
            : Boolean.TRUE.equals(cascadeConfig.cascade()),
        cascadeFrom,
        entity != null && entity.disabled(),
        levels.resource() != null && levels.resource().disabled(),
        ancestors(AncestorChains.ids(chain), levelsOf),
        levels.resolve().stamp().versions());
  }

  private static @Nullable LimitSet limits(ConfigRecords levels, @Nullable ConfigLevel level) {
    ConfigRecord config = level == null ? null : levels.at(level);
    return config == null ? null : config.limits();
  }

  private static Map<ConfigLevel, Limit> elsewhere(
      ConfigRecords levels, ConfigLevel winner, String name) {
    Map<ConfigLevel, Limit> elsewhere = new EnumMap<>(ConfigLevel.class);
    for (ConfigLevel level : ConfigLevel.values()) {
      LimitSet limits = limits(levels, level);
      if (level.compareTo(winner) > 0 && limits != null && limits.indexOf(name) >= 0) {
        elsewhere.put(level, limits.get(limits.indexOf(name)));
      }
    }
    return elsewhere;
  }

  private static @Nullable ConfigLevel cascadeFrom(ConfigRecords levels) {
    if (levels.entityResource() != null && levels.entityResource().cascade() != null) {
      return ConfigLevel.ENTITY_RESOURCE;
    }
    if (levels.resource() != null && levels.resource().cascade() != null) {
      return ConfigLevel.RESOURCE;
    }
    return levels.entity() == null ? null : ConfigLevel.ENTITY;
  }

  private static List<LimitExplanation.Ancestor> ancestors(
      List<String> chain, Function<String, ConfigRecords> levelsOf) {
    List<LimitExplanation.Ancestor> ancestors = new ArrayList<>();
    boolean drawn = true;
    for (int i = 1; i < chain.size(); i++) {
      String id = chain.get(i);
      drawn = drawn && id.equals(levelsOf.apply(chain.get(i - 1)).resolve().drawsOn());
      boolean disabled = levelsOf.apply(id).resolve().stamp().disabled();
      ancestors.add(new LimitExplanation.Ancestor(id, drawn, disabled));
    }
    return ancestors;
  }
}
