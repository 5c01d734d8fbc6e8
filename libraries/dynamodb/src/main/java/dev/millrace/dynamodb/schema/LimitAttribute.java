package dev.millrace.dynamodb.schema;

import dev.millrace.core.entity.Names;
import org.jspecify.annotations.Nullable;

/**
 * The name of an attribute that belongs to a limit, taken apart.
 *
 * @param limitName which limit
 * @param field what it says about it
 */
public record LimitAttribute(String limitName, LimitField field) {
  /** In a bucket. */
  static final String PREFIX = "b_";

  /** In a config, which has the parameters only. */
  static final String CONFIG_PREFIX = "l_";

  static final char SEPARATOR = '_';

  private static final LimitField[] FIELDS = LimitField.values();

  /**
   * The parts of a bucket's {@code attribute}, or null when it belongs to no limit. The last
   * underscore divides: a limit's name may contain some, and may even end like a field.
   */
  public static @Nullable LimitAttribute parse(String attribute) {
    return parse(PREFIX, attribute);
  }

  /** The same for a config's {@code attribute}. */
  public static @Nullable LimitAttribute parseOfConfig(String attribute) {
    LimitAttribute parsed = parse(CONFIG_PREFIX, attribute);
    return parsed != null && parsed.field.isParameter() ? parsed : null;
  }

  /** The limit whose counter a bucket's {@code attribute} is, null when it is no user's limit's. */
  public static @Nullable String limitOfCounter(String attribute) {
    LimitAttribute parsed = parse(attribute);
    return parsed == null
            || parsed.field != LimitField.CONSUMED
            || parsed.limitName.equals(Names.RESERVED_LIMIT)
        ? null
        : parsed.limitName;
  }

  private static @Nullable LimitAttribute parse(String prefix, String attribute) {
    int separator = attribute.lastIndexOf(SEPARATOR);
    if (separator <= prefix.length() || !attribute.startsWith(prefix)) {
      return null;
    }
    LimitField field = field(attribute, separator + 1);
    return field == null
        ? null
        : new LimitAttribute(attribute.substring(prefix.length(), separator), field);
  }

  private static @Nullable LimitField field(String attribute, int start) {
    for (LimitField field : FIELDS) {
      String suffix = field.suffix();
      if (attribute.length() - start == suffix.length() && attribute.startsWith(suffix, start)) {
        return field;
      }
    }
    return null;
  }
}
