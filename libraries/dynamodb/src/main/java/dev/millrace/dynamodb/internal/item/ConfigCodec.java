package dev.millrace.dynamodb.internal.item;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The config of one level as an item and back. Limits are stored whole, as users gave them: the
 * share of a shard is derived.
 */
final class ConfigCodec {
  private ConfigCodec() {}

  static ItemWriter encode(ItemWriter item, ConfigRecord config) {
    item.number(RecordAttributes.VERSION, config.version())
        .flag(RecordAttributes.CASCADE, config.cascade())
        .flag(RecordAttributes.DISABLED, config.disabled() ? true : null)
        .text(RecordAttributes.ON_UNAVAILABLE, text(config.onUnavailable()));
    if (config.auditRetentionDays() != null) {
      item.number(RecordAttributes.AUDIT_RETENTION_DAYS, config.auditRetentionDays());
    }
    if (config.limits() != null) {
      for (Limit limit : config.limits()) {
        put(item, limit);
      }
    }
    if (config.versionFloor() != 0) {
      item.number(RecordAttributes.VERSION_FLOOR, config.versionFloor());
    }
    RegionsCodec.encode(item, config.regions());
    return index(item, config);
  }

  private static void put(ItemWriter item, Limit limit) {
    for (LimitField field : LimitField.values()) {
      if (field.isParameter() && !StoredLimit.isImplied(limit, field)) {
        item.put(field.configAttribute(limit.name()), StoredLimit.of(limit, field));
      }
    }
  }

  /** An entity is listed while it has limits of its own, a resource while it has a config. */
  private static ItemWriter index(ItemWriter item, ConfigRecord config) {
    RecordKey.Config key = config.key();
    return switch (key.level()) {
      case ENTITY_RESOURCE -> indexEntity(item, config, key.resource());
      case ENTITY -> indexEntity(item, config, SortKeys.DEFAULT_RESOURCE);
      case RESOURCE ->
          item.index(TableIndex.DIRECTORY, IndexKeys.resources(key.namespace()), key.resource());
      case SYSTEM, CALL -> item;
    };
  }

  private static ItemWriter indexEntity(ItemWriter item, ConfigRecord config, String resource) {
    RecordKey.Config key = config.key();
    return config.limits() == null
        ? item
        : item.index(
            TableIndex.DIRECTORY,
            IndexKeys.configsOfResource(key.namespace(), resource),
            IndexKeys.configuredEntity(key.entityId()));
  }

  static ConfigRecord decode(RecordKey.Config key, ItemReader item) {
    Boolean disabled = item.flagOrNull(RecordAttributes.DISABLED);
    return new ConfigRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        limits(item),
        item.flagOrNull(RecordAttributes.CASCADE),
        disabled != null && disabled,
        onUnavailable(item),
        auditRetentionDays(item),
        RegionsCodec.decode(item),
        versionFloor(item));
  }

  private static @Nullable LimitSet limits(ItemReader item) {
    List<Limit> limits = new ArrayList<>();
    for (StoredLimit limit : StoredLimit.readAll(LimitField.CONFIG_PREFIX, item.item())) {
      if (limit.hasParameters()) {
        try {
          limits.add(limit.toLimit());
        } catch (IllegalArgumentException e) { // also a number that is none
          throw item.corrupt("limit " + limit.name() + ": " + e.getMessage(), e);
        }
      }
    }
    if (limits.isEmpty()) {
      return null;
    }
    try {
      return LimitSet.of(limits);
    } catch (IllegalArgumentException e) {
      throw item.corrupt(String.valueOf(e.getMessage()), e);
    }
  }

  private static @Nullable String text(@Nullable OnUnavailable policy) {
    return policy == null ? null : policy.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable OnUnavailable onUnavailable(ItemReader item) {
    String stored = item.textOrNull(RecordAttributes.ON_UNAVAILABLE);
    if (stored == null) {
      return null;
    }
    for (OnUnavailable policy : OnUnavailable.values()) {
      if (stored.equals(text(policy))) {
        return policy;
      }
    }
    throw item.corrupt(
        RecordAttributes.ON_UNAVAILABLE + " '" + stored + "' is neither block nor allow", null);
  }

  private static long versionFloor(ItemReader item) {
    String attribute = RecordAttributes.VERSION_FLOOR;
    return item.item().containsKey(attribute) ? item.atLeast(1, attribute) : 0;
  }

  private static @Nullable Integer auditRetentionDays(ItemReader item) {
    String attribute = RecordAttributes.AUDIT_RETENTION_DAYS;
    if (!item.item().containsKey(attribute)) {
      return null;
    }
    long days = item.atLeast(0, attribute);
    if (days > Integer.MAX_VALUE) {
      throw item.corrupt(attribute + " " + days + " is out of range", null);
    }
    return (int) days;
  }
}
