package dev.millrace.manifest.internal;

import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.internal.ManagedAdmin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The record of what a manifest manages: a key for each entity and level, with a digest of what the
 * manifest last said about it. No name contains a space, so keys can be split again.
 */
final class ManagedMarks {
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

  private ManagedMarks() {}

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

  /** The prefix of the keys of an entity's levels with a resource. */
  static String levelsOf(String entityId) {
    return LEVEL + entityId + " ";
  }

  static boolean isEntity(String key) {
    return key.startsWith(ENTITY);
  }

  /** The level of a key; only for keys that are not of entities. */
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

  /** The entity or the resource of a key, empty for the namespace. */
  static String subject(String key) {
    if (key.equals(SYSTEM)) {
      return "";
    }
    int end = key.indexOf(' ', ENTITY.length());
    return end < 0 ? key.substring(ENTITY.length()) : key.substring(ENTITY.length(), end);
  }

  /** The page of a key: all keys of an entity are in the same one. */
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
   * The mark while a change is in progress: a difference from it is then an incomplete change, and
   * not a change by hand.
   *
   * @param before the mark so far, null when there was none
   */
  static String pending(@Nullable String before, String wanted) {
    return wanted.equals(before) ? wanted : wanted + PENDING;
  }

  static boolean hadLimits(String value) {
    return value.indexOf(HAS_LIMITS, CRC_DIGITS) >= 0;
  }

  static boolean hadCascade(String value) {
    return value.indexOf(HAS_CASCADE, CRC_DIGITS) >= 0;
  }

  /** A short digest, because there is one for every entry; a collision only hides a drift. */
  private static String crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  /** The marks of the whole desired state, page by page. */
  static final class Wanted implements SpecSink {
    private final List<SortedMap<String, String>> pages = new ArrayList<>();

    private Wanted() {
      for (int number = 0; number < ManagedAdmin.PAGES; number++) {
        pages.add(new TreeMap<>());
      }
    }

    static List<SortedMap<String, String>> of(SpecSource source) {
      Wanted marks = new Wanted();
      source.read(marks);
      return marks.pages;
    }

    private void put(String key, String value) {
      pages.get(ManagedMarks.page(key)).put(key, value);
    }

    @Override
    public void system(SystemSpec spec) {
      put(ManagedMarks.SYSTEM, ManagedMarks.value(spec));
    }

    @Override
    public void resource(String name, LevelSpec spec) {
      put(ManagedMarks.level(LimitTarget.resource(name)), ManagedMarks.value(spec));
    }

    @Override
    public void entity(EntitySpec spec) {
      if (spec.recorded()) {
        put(ManagedMarks.entity(spec.id()), ManagedMarks.value(spec));
      }
      if (!spec.own().isNothing()) {
        put(ManagedMarks.level(LimitTarget.entity(spec.id())), ManagedMarks.value(spec.own()));
      }
      spec.resources()
          .forEach(
              (resource, level) ->
                  put(
                      ManagedMarks.level(LimitTarget.entityResource(spec.id(), resource)),
                      ManagedMarks.value(level)));
    }
  }
}
