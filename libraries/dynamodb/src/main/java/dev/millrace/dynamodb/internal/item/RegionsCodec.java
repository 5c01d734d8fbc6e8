package dev.millrace.dynamodb.internal.item;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The part of a config that regions share, as attributes and back. A limit is one text here, {@code
 * capacity/burst/refill/period}, and {@code /soft}: only the exchange reads it, and reads it whole.
 */
final class RegionsCodec {
  private static final int PARTS = 4;
  private static final String SOFT = "soft";

  private RegionsCodec() {}

  static void encode(ItemWriter item, @Nullable RegionsPart regions) {
    if (regions == null) {
      return;
    }
    put(item, RecordAttributes.WHOLE, regions.whole());
    put(item, RecordAttributes.PART, regions.part());
    if (regions.texts().isEmpty()) {
      // Also where nothing was exchanged yet it can be told that regions share this.
      item.put(RecordAttributes.REGIONS, AttributeValue.fromM(Map.of()));
    } else {
      item.textsByName(RecordAttributes.REGIONS, regions.texts());
    }
  }

  private static void put(ItemWriter item, String attribute, @Nullable LimitSet limits) {
    if (limits != null) {
      Map<String, String> texts = new HashMap<>();
      for (Limit limit : limits) {
        texts.put(limit.name(), text(limit));
      }
      item.textsByName(attribute, texts);
    }
  }

  private static String text(Limit limit) {
    String text =
        limit.capacityMilli()
            + "/"
            + limit.burstMilli()
            + "/"
            + limit.refill().amountMilli()
            + "/"
            + limit.refill().periodMs();
    return limit.soft() ? text + "/" + SOFT : text;
  }

  static @Nullable RegionsPart decode(ItemReader item) {
    if (!item.item().containsKey(RecordAttributes.REGIONS)) {
      return null;
    }
    return new RegionsPart(
        limits(item, RecordAttributes.WHOLE),
        limits(item, RecordAttributes.PART),
        new TreeMap<>(item.textsByName(RecordAttributes.REGIONS)));
  }

  private static @Nullable LimitSet limits(ItemReader item, String attribute) {
    Map<String, String> texts = new TreeMap<>(item.textsByName(attribute));
    if (texts.isEmpty()) {
      return null;
    }
    List<Limit> limits = new ArrayList<>(texts.size());
    for (Map.Entry<String, String> text : texts.entrySet()) {
      try {
        limits.add(limit(text.getKey(), text.getValue().split("/", -1)));
      } catch (IllegalArgumentException e) { // also a number that is none
        throw item.corrupt(attribute + " " + text.getKey() + ": " + e.getMessage(), e);
      }
    }
    try {
      return LimitSet.of(limits);
    } catch (IllegalArgumentException e) {
      throw item.corrupt(attribute + ": " + e.getMessage(), e);
    }
  }

  private static Limit limit(String name, String[] parts) {
    boolean soft = parts.length == PARTS + 1 && parts[PARTS].equals(SOFT);
    if (parts.length != PARTS && !soft) {
      throw new IllegalArgumentException(parts.length + " parts, must be " + PARTS);
    }
    return new Limit(
        name,
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Refill.of(Long.parseLong(parts[2]), Long.parseLong(parts[3])),
        soft);
  }
}
