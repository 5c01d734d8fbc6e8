package dev.millrace.dynamodb.internal.schema;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;

/**
 * The versions of the records that a bucket follows, as one short text which is paid for in every
 * item: the five numbers in base 36 with a point between them, what is 0 left out. {@code 3.1..k.2}
 * is the third version of the entity, the first of its limits for the resource, the twentieth of
 * the resource's and the second of the system's; the entity has no limits for whatever resource.
 */
public final class StoredVersions {
  private static final char POINT = '.';
  private static final int RADIX = 36;
  private static final int PARTS = 5;

  private StoredVersions() {}

  /** The text of {@code versions}, of which one is not 0. */
  public static String text(RecordVersions versions) {
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

  /**
   * The versions in {@code text}.
   *
   * @throws IllegalArgumentException when it is not one that {@link #text} makes
   */
  public static RecordVersions parse(String text) {
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
