package dev.millrace.dynamodb.expression;

import dev.millrace.dynamodb.schema.LimitField;
import java.util.EnumMap;
import java.util.Map;

/**
 * The placeholders of every update. {@code rf}, {@code op}, {@code cv}, {@code lv}, {@code sl},
 * {@code shard_count}, {@code b_wcu_tk} and {@code PK} are not among DynamoDB's reserved words and
 * stand for themselves; {@code ttl} and {@code off} are.
 */
final class Placeholders {
  static final String TTL_NAME = "#ttl";
  static final String TTL = ":ttl";
  static final String OP = ":op";

  /** The last write that the bucket must have seen. */
  static final String OP_BEFORE = ":op0";

  static final String OFF_NAME = "#off";
  static final String OFF = ":off";
  static final String CONFIG_VERSIONS = ":cv";
  static final String LEVEL = ":lv";
  static final String REFILLED_AT = ":rf";

  /** The timestamp that the bucket must have, or the oldest that it may have. */
  static final String REFILLED_BEFORE = ":rf0";

  static final String SHARD_LEVEL = ":sl";

  /** The level that the shard must have. */
  static final String SHARD_LEVEL_BEFORE = ":sl0";

  static final String SHARD_COUNT = ":sc";

  /** The count that the bucket must have. */
  static final String SHARD_COUNT_BEFORE = ":sc0";

  /** What is added to the reserved limit. */
  static final String ADD_WCU = ":wcu";

  /** Of limits that are changed: names of balance and total, and what is added to them. */
  static final Numbered TOKENS_NAME = new Numbered("#tk");

  static final Numbered CONSUMED_NAME = new Numbered("#tc");
  static final Numbered ADD_TOKENS = new Numbered(":tk");
  static final Numbered ADD_CONSUMED = new Numbered(":tc");

  /** Of limits that are changed: the bounds of the balance that may be met. */
  static final Numbered FLOOR = new Numbered(":lo");

  static final Numbered CEILING = new Numbered(":hi");

  /** Of limits that go: the least balance at which they may. */
  static final Numbered REMOVAL_FLOOR = new Numbered(":min");

  /** The parameters of a limit. */
  static final LimitField[] PARAMETERS = {
    LimitField.CAPACITY,
    LimitField.BURST,
    LimitField.REFILL_AMOUNT,
    LimitField.REFILL_PERIOD,
    LimitField.SOFT
  };

  /** Everything of a limit. */
  static final LimitField[] FIELDS = LimitField.values();

  private static final Map<LimitField, Numbered> SET_NAMES = family("#s");
  private static final Map<LimitField, Numbered> SET_VALUES = family(":s");
  private static final Map<LimitField, Numbered> ADDED_NAMES = family("#a");
  private static final Map<LimitField, Numbered> ADDED_VALUES = family(":a");
  private static final Map<LimitField, Numbered> REMOVED_NAMES = family("#r");

  private Placeholders() {}

  static String setName(LimitField field, int index) {
    return at(SET_NAMES, field, index);
  }

  static String setValue(LimitField field, int index) {
    return at(SET_VALUES, field, index);
  }

  static String addedName(LimitField field, int index) {
    return at(ADDED_NAMES, field, index);
  }

  static String addedValue(LimitField field, int index) {
    return at(ADDED_VALUES, field, index);
  }

  static String removedName(LimitField field, int index) {
    return at(REMOVED_NAMES, field, index);
  }

  private static String at(Map<LimitField, Numbered> family, LimitField field, int index) {
    Numbered placeholder = family.get(field);
    if (placeholder == null) {
      throw new AssertionError(field);
    }
    return placeholder.at(index);
  }

  private static Map<LimitField, Numbered> family(String prefix) {
    Map<LimitField, Numbered> family = new EnumMap<>(LimitField.class);
    for (LimitField field : FIELDS) {
      family.put(field, new Numbered(prefix + field.suffix()));
    }
    return family;
  }

  /**
   * A family of placeholders, numbered by the position of the limit they stand for. Limits' names
   * never stand in an expression: they may contain {@code -} and {@code .}, which mean something
   * there.
   */
  static final class Numbered {
    /** How many of each family are made once and for all; more limits than this are rare. */
    private static final int PREPARED = 16;

    private final String prefix;
    private final String[] prepared = new String[PREPARED];

    Numbered(String prefix) {
      this.prefix = prefix;
      for (int i = 0; i < PREPARED; i++) {
        prepared[i] = prefix + i;
      }
    }

    String at(int index) {
      return index < PREPARED ? prepared[index] : prefix + index;
    }
  }
}
