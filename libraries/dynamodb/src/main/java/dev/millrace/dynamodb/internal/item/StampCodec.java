package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The configuration stamp of a bucket as attributes and back. Each part is stored only when it
 * differs from the default, and is short, because every item pays for it.
 *
 * <p>The level is one letter. The versions are one text, the five numbers in base 36 with a point
 * between them, 0 left out: {@code 3.1..k.2} is the third version of the entity, the first of its
 * limits for the resource, the twentieth of the resource's and the second of the system's; the
 * entity has no limits for any resource.
 */
public final class StampCodec {
  private static final char POINT = '.';
  private static final int RADIX = 36;
  private static final int PARTS = 5;

  private StampCodec() {}

  /** Puts the stored parts of {@code stamp} under three names: attributes or placeholders. */
  public static void put(
      ConfigStamp stamp,
      String versions,
      String level,
      String off,
      Map<String, AttributeValue> values) {
    if (!stamp.versions().equals(RecordVersions.NONE)) {
      values.put(versions, AttributeValue.fromS(text(stamp.versions())));
    }
    if (stamp.level() != ConfigLevel.CALL) {
      values.put(level, AttributeValue.fromS(letter(stamp.level())));
    }
    if (stamp.disabled()) {
      values.put(off, StoredLimit.FLAG);
    }
  }

  /**
   * The stamp in {@code item}.
   *
   * @throws IllegalArgumentException when it is none
   */
  static ConfigStamp decode(Map<String, AttributeValue> item) {
    AttributeValue versions = item.get(BucketAttributes.CONFIG_VERSIONS);
    AttributeValue level = item.get(BucketAttributes.LEVEL);
    boolean disabled = item.containsKey(BucketAttributes.OFF); // as the condition of a write asks
    return new ConfigStamp(
        level == null ? ConfigLevel.CALL : level(text(BucketAttributes.LEVEL, level)),
        // A number is the sum of versions that was written before they were kept apart: nothing can
        // be concluded from it, so everything that is stored is newer.
        versions == null || versions.n() != null
            ? RecordVersions.NONE
            : parse(text(BucketAttributes.CONFIG_VERSIONS, versions)),
        disabled);
  }

  private static String text(String attribute, AttributeValue value) {
    if (value.s() == null) {
      throw new IllegalArgumentException(attribute + " is not a text");
    }
    return value.s();
  }

  private static String letter(ConfigLevel level) {
    return switch (level) {
      case CALL -> throw new IllegalArgumentException("level " + level + " is not stored");
      case ENTITY_RESOURCE -> "e";
      case ENTITY -> "d";
      case RESOURCE -> "r";
      case SYSTEM -> "s";
    };
  }

  private static ConfigLevel level(String letter) {
    return switch (letter) {
      case "e" -> ConfigLevel.ENTITY_RESOURCE;
      case "d" -> ConfigLevel.ENTITY;
      case "r" -> ConfigLevel.RESOURCE;
      case "s" -> ConfigLevel.SYSTEM;
      default -> throw new IllegalArgumentException("level '" + letter + "' is none of e, d, r, s");
    };
  }

  /** The text of {@code versions}, of which one is not 0. */
  static String text(RecordVersions versions) {
    StringBuilder text = new StringBuilder(PARTS * 3);
    append(text, versions.entity()).append(POINT);
    append(text, versions.entityResource()).append(POINT);
    append(text, versions.entityDefault()).append(POINT);
    append(text, versions.resource()).append(POINT);
    return append(text, versions.system()).toString();
  }

  private static StringBuilder append(StringBuilder text, long version) {
    return version == 0 ? text : text.append(Long.toString(version, RADIX));
  }

  static RecordVersions parse(String text) {
    long[] versions = new long[PARTS];
    int from = 0;
    for (int part = 0; part < PARTS; part++) {
      int point = text.indexOf(POINT, from);
      boolean last = part == PARTS - 1;
      if (last != (point < 0)) {
        throw new IllegalArgumentException("versions '" + text + "' are not " + PARTS);
      }
      int to = last ? text.length() : point;
      versions[part] = to == from ? 0 : Long.parseLong(text, from, to, RADIX);
      from = to + 1;
    }
    RecordVersions parsed =
        new RecordVersions(versions[0], versions[1], versions[2], versions[3], versions[4]);
    if (!text(parsed).equals(text)) { // a sign, a leading zero, a capital
      throw new IllegalArgumentException("versions '" + text + "' are not as they are written");
    }
    return parsed;
  }
}
