package dev.millrace.dynamodb.internal.schema;

import dev.millrace.core.spi.config.ConfigLevel;

/** The level of a bucket's limits as one letter, which is paid for in every item. */
public final class StoredLevel {
  private static final ConfigLevel[] LEVELS = ConfigLevel.values();

  private StoredLevel() {}

  /**
   * The letter of {@code level}.
   *
   * @throws IllegalArgumentException for {@link ConfigLevel#CALL}, which is the default and not
   *     stored
   */
  public static String letter(ConfigLevel level) {
    return switch (level) {
      case CALL -> throw new IllegalArgumentException("level " + level + " is not stored");
      case ENTITY_RESOURCE -> "e";
      case ENTITY -> "d";
      case RESOURCE -> "r";
      case SYSTEM -> "s";
    };
  }

  /**
   * The level of {@code letter}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ConfigLevel parse(String letter) {
    for (ConfigLevel level : LEVELS) {
      if (level != ConfigLevel.CALL && letter(level).equals(letter)) {
        return level;
      }
    }
    throw new IllegalArgumentException("level '" + letter + "' is none of e, d, r, s");
  }
}
