package dev.millrace.manifest.plan;

import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ManagedAdmin;
import dev.millrace.manifest.EntitySpec;
import dev.millrace.manifest.LevelSpec;
import dev.millrace.manifest.SystemSpec;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * How a manifest remembers what it manages: a key for each entity and level, and what it last said
 * about it in short. No name has a space in it, so keys can be taken apart again.
 */
final class Marks {
  /** The namespace's limits. */
  static final String SYSTEM = "s";

  private static final String ENTITY = "e ";
  private static final String RESOURCE = "r ";
  private static final String DEFAULT = "d ";
  private static final String LEVEL = "l ";
  private static final char HAS_LIMITS = 'l';
  private static final char HAS_CASCADE = 'c';
  private static final char PENDING = 'p';
  private static final int CRC_DIGITS = 8;

  private Marks() {}

  static String entity(String id) {
    return ENTITY + id;
  }

  static String level(LimitTarget target) {
    return switch (target.level()) {
      case ENTITY_RESOURCE -> LEVEL + target.entityId() + " " + target.resource();
      case ENTITY -> DEFAULT + target.entityId();
      case RESOURCE -> RESOURCE + target.resource();
      case SYSTEM, CALL -> SYSTEM;
    };
  }

  /** What every key of an entity's levels of resources begins with. */
  static String levelsOf(String entityId) {
    return LEVEL + entityId + " ";
  }

  static boolean isEntity(String key) {
    return key.startsWith(ENTITY);
  }

  /** The level that a key is of; only of keys that are not of entities. */
  static LimitTarget target(String key) {
    String name = subject(key);
    if (key.startsWith(LEVEL)) {
      return LimitTarget.entityResource(name, key.substring(LEVEL.length() + name.length() + 1));
    }
    if (key.startsWith(DEFAULT)) {
      return LimitTarget.entity(name);
    }
    return key.startsWith(RESOURCE) ? LimitTarget.resource(name) : LimitTarget.system();
  }

  /** Whether a key is about an entity, its record or its limits. */
  static boolean isOfEntity(String key) {
    return isEntity(key) || key.startsWith(DEFAULT) || key.startsWith(LEVEL);
  }

  /** The entity or the resource that a key is about, empty for the namespace. */
  static String subject(String key) {
    if (key.equals(SYSTEM)) {
      return "";
    }
    int end = key.indexOf(' ', ENTITY.length());
    return end < 0 ? key.substring(ENTITY.length()) : key.substring(ENTITY.length(), end);
  }

  /** In which page a key is: all keys of an entity are in the same one. */
  static int page(String key) {
    return Math.floorMod(subject(key).hashCode(), ManagedAdmin.PAGES);
  }

  static String value(LevelSpec spec) {
    return crc(String.valueOf(spec))
        + (spec.hasLimits() ? HAS_LIMITS : "")
        + (spec.cascade() == null ? "" : HAS_CASCADE);
  }

  static String value(SystemSpec spec) {
    return crc(String.valueOf(spec.limits())) + (spec.limits() == null ? "" : HAS_LIMITS);
  }

  static String value(EntitySpec spec) {
    return crc(
        String.join(
            "\n",
            String.valueOf(spec.name()),
            String.valueOf(spec.parent()),
            String.valueOf(spec.cascade()),
            String.valueOf(spec.disabled()),
            String.valueOf(spec.metadata())));
  }

  /**
   * The mark while what it says is being made: what differs from it then was not made yet, and is
   * not somebody's change.
   *
   * @param before the mark so far, null when there was none
   */
  static String pending(@Nullable String before, String wanted) {
    return wanted.equals(before) ? wanted : wanted + PENDING;
  }

  /** Whether the manifest had said limits. */
  static boolean hadLimits(String value) {
    return value.indexOf(HAS_LIMITS, CRC_DIGITS) >= 0;
  }

  /** Whether the manifest had said whether to draw on the parent. */
  static boolean hadCascade(String value) {
    return value.indexOf(HAS_CASCADE, CRC_DIGITS) >= 0;
  }

  /** Short, because there is one for everything; two that are the same only hide a drift. */
  private static String crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
