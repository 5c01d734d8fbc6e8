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
  static final Placeholder TOKENS_NAME = new Placeholder("#tk");

  static final Placeholder CONSUMED_NAME = new Placeholder("#tc");
  static final Placeholder ADD_TOKENS = new Placeholder(":tk");
  static final Placeholder ADD_CONSUMED = new Placeholder(":tc");

  /** Of limits that are changed: the bounds of the balance that may be met. */
  static final Placeholder FLOOR = new Placeholder(":lo");

  static final Placeholder CEILING = new Placeholder(":hi");

  /** Of limits that go: the least balance at which they may. */
  static final Placeholder REMOVAL_FLOOR = new Placeholder(":min");

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

  private static final Map<LimitField, Placeholder> SET_NAMES = family("#s");
  private static final Map<LimitField, Placeholder> SET_VALUES = family(":s");
  private static final Map<LimitField, Placeholder> ADDED_NAMES = family("#a");
  private static final Map<LimitField, Placeholder> ADDED_VALUES = family(":a");
  private static final Map<LimitField, Placeholder> REMOVED_NAMES = family("#r");

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

  private static String at(Map<LimitField, Placeholder> family, LimitField field, int index) {
    Placeholder placeholder = family.get(field);
    if (placeholder == null) {
      throw new AssertionError(field);
    }
    return placeholder.at(index);
  }

  private static Map<LimitField, Placeholder> family(String prefix) {
    Map<LimitField, Placeholder> family = new EnumMap<>(LimitField.class);
    for (LimitField field : FIELDS) {
      family.put(field, new Placeholder(prefix + field.suffix()));
    }
    return family;
  }
}
