package dev.millrace.dynamodb.item;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.Refill;
import dev.millrace.dynamodb.schema.LimitField;
import java.util.EnumMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The fields of one limit as they are found in an item, until all of them are there. */
final class StoredLimit {
  private final Map<LimitField, AttributeValue> fields = new EnumMap<>(LimitField.class);

  void put(LimitField field, AttributeValue value) {
    fields.put(field, value);
  }

  /**
   * The limit that the fields make up.
   *
   * @throws IllegalArgumentException when they make none; it says why
   */
  LimitState toState(String limitName) {
    return new LimitState(
        toLimit(limitName),
        StoredNumber.saturated(text(LimitField.TOKENS)),
        StoredNumber.wrapped(text(LimitField.CONSUMED)));
  }

  /** The same of a config, where there is no balance. */
  Limit toLimit(String limitName) {
    long capacityMilli = StoredNumber.exact(text(LimitField.CAPACITY));
    Refill refill =
        Refill.of(
            orCapacity(LimitField.REFILL_AMOUNT, capacityMilli),
            StoredNumber.exact(text(LimitField.REFILL_PERIOD)));
    return new Limit(
        limitName, capacityMilli, orCapacity(LimitField.BURST, capacityMilli), refill, isSoft());
  }

  private boolean isSoft() {
    if (!fields.containsKey(LimitField.SOFT)) {
      return false;
    }
    long flag = StoredNumber.exact(text(LimitField.SOFT));
    if (flag != 1) {
      throw new IllegalArgumentException("sf " + flag + " must be 1 or absent");
    }
    return true;
  }

  /** A field that equals the capacity need not be stored. */
  private long orCapacity(LimitField field, long capacityMilli) {
    return fields.containsKey(field) ? StoredNumber.exact(text(field)) : capacityMilli;
  }

  private String text(LimitField field) {
    AttributeValue value = fields.get(field);
    if (value == null || value.n() == null) {
      throw new IllegalArgumentException(field.suffix() + " is missing or not a number");
    }
    return value.n();
  }
}
