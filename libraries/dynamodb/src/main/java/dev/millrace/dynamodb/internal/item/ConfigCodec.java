package dev.millrace.dynamodb.internal.item;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The config of one level as an item and back. Limits are stored whole, as users gave them: the
 * share of a shard is derived. In the part that regions share, a limit is one text, {@code
 * capacity/burst/refill/period}, and {@code /soft}: only the exchange reads it, and reads it whole.
 */
final class ConfigCodec {
  private static final int REGION_FIELDS = 4;
  private static final String SOFT = "soft";

  private ConfigCodec() {}

  static void encode(ConfigRecord config, ItemWriter item) {
    item.flag(RecordAttributes.CASCADE, config.cascade())
        .flag(RecordAttributes.DISABLED, config.disabled() ? true : null)
        .constant(RecordAttributes.ON_UNAVAILABLE, config.onUnavailable());
    if (config.auditRetentionDays() != null) {
      item.number(RecordAttributes.AUDIT_RETENTION_DAYS, config.auditRetentionDays());
    }
    if (config.limits() != null) {
      for (Limit limit : config.limits()) {
        for (LimitField field : LimitField.values()) {
          if (field.isParameter() && !StoredLimit.isImplied(limit, field)) {
            item.put(field.configAttribute(limit.name()), StoredLimit.of(limit, field));
          }
        }
      }
    }
    item.numberUnless(0, RecordAttributes.VERSION_FLOOR, config.versionFloor());
    RegionsPart regions = config.regions();
    if (regions != null) {
      put(item, RecordAttributes.WHOLE, regions.whole());
      put(item, RecordAttributes.PART, regions.part());
      // Stored when it is empty too, as a mark that regions share this.
      item.put(RecordAttributes.REGIONS, AttributeValue.fromM(Map.of()))
          .textsByName(RecordAttributes.REGIONS, regions.texts());
    }
    index(config, item);
  }

  private static void put(ItemWriter item, String attribute, @Nullable LimitSet limits) {
    if (limits != null) {
      Map<String, String> texts = new HashMap<>();
      for (Limit limit : limits) {
        String text =
            limit.capacityMilli()
                + "/"
                + limit.burstMilli()
                + "/"
                + limit.refill().amountMilli()
                + "/"
                + limit.refill().periodMs();
        texts.put(limit.name(), limit.soft() ? text + "/" + SOFT : text);
      }
      item.textsByName(attribute, texts);
    }
  }

  /** An entity is listed while it has limits of its own, a resource while it has a config. */
  private static void index(ConfigRecord config, ItemWriter item) {
    RecordKey.Config key = config.key();
    switch (key.level()) {
      case ENTITY_RESOURCE -> indexEntity(item, config, key.resource());
      case ENTITY -> indexEntity(item, config, SortKeys.DEFAULT_RESOURCE);
      case RESOURCE ->
          item.index(TableIndex.DIRECTORY, TableIndex.resources(key.namespace()), key.resource());
      case SYSTEM, CALL -> {}
    }
  }

  private static void indexEntity(ItemWriter item, ConfigRecord config, String resource) {
    RecordKey.Config key = config.key();
    if (config.limits() != null) {
      item.index(
          TableIndex.DIRECTORY,
          TableIndex.configsOfResource(key.namespace(), resource),
          key.entityId());
    }
  }

  static ConfigRecord decode(RecordKey.Config key, ItemReader item) {
    Boolean disabled = item.flagOrNull(RecordAttributes.DISABLED);
    String onUnavailable = item.textOrNull(RecordAttributes.ON_UNAVAILABLE);
    return new ConfigRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        limits(item),
        item.flagOrNull(RecordAttributes.CASCADE),
        disabled != null && disabled,
        onUnavailable == null
            ? null
            : item.constant(
                RecordAttributes.ON_UNAVAILABLE,
                onUnavailable,
                OnUnavailable.values(),
                "neither block nor allow"),
        auditRetentionDays(item),
        regions(item),
        item.has(RecordAttributes.VERSION_FLOOR)
            ? item.atLeast(1, RecordAttributes.VERSION_FLOOR)
            : 0);
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

  private static @Nullable Integer auditRetentionDays(ItemReader item) {
    String attribute = RecordAttributes.AUDIT_RETENTION_DAYS;
    if (!item.has(attribute)) {
      return null;
    }
    long days = item.atLeast(0, attribute);
    if (days > Integer.MAX_VALUE) {
      throw item.corrupt(attribute + " " + days + " is out of range", null);
    }
    return (int) days;
  }

  private static @Nullable RegionsPart regions(ItemReader item) {
    return item.has(RecordAttributes.REGIONS)
        ? new RegionsPart(
            regionLimits(item, RecordAttributes.WHOLE),
            regionLimits(item, RecordAttributes.PART),
            new TreeMap<>(item.textsByName(RecordAttributes.REGIONS)))
        : null;
  }

  private static @Nullable LimitSet regionLimits(ItemReader item, String attribute) {
    Map<String, String> texts = new TreeMap<>(item.textsByName(attribute));
    if (texts.isEmpty()) {
      return null;
    }
    List<Limit> limits = new ArrayList<>(texts.size());
    texts.forEach(
        (name, text) ->
            limits.add(
                item.checked(
                    attribute + " " + name, text, t -> regionLimit(name, t.split("/", -1)))));
    return item.checked(attribute, limits, LimitSet::of);
  }

  private static Limit regionLimit(String name, String[] fields) {
    boolean soft = fields.length == REGION_FIELDS + 1 && fields[REGION_FIELDS].equals(SOFT);
    if (fields.length != REGION_FIELDS && !soft) {
      throw new IllegalArgumentException(fields.length + " parts, must be " + REGION_FIELDS);
    }
    return new Limit(
        name,
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Refill.of(Long.parseLong(fields[2]), Long.parseLong(fields[3])),
        soft);
  }
}
