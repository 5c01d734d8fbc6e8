package dev.millrace.dynamodb.item;

import dev.millrace.core.bucket.BucketState.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.Limit.Refill;
import dev.millrace.dynamodb.schema.LimitField;
import java.util.EnumMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A limit as it is stored, field by field, and back: an instance collects the fields that are found
 * in an item until all of them are there.
 */
public final class StoredLimit {
  /** The value of a flag, which is there or not. */
  public static final AttributeValue FLAG = StoredNumber.of(1);

  private final Map<LimitField, AttributeValue> fields = new EnumMap<>(LimitField.class);

  /** What is stored of {@code state} in {@code field}. */
  public static AttributeValue of(LimitState state, LimitField field) {
    return switch (field) {
      case TOKENS -> StoredNumber.of(state.tokensMilli());
      case CONSUMED -> StoredNumber.of(state.consumedMilli());
      case CAPACITY, BURST, REFILL_AMOUNT, REFILL_PERIOD, SOFT -> of(state.limit(), field);
    };
  }

  /**
   * What is stored of {@code limit} in {@code field}, which is one of its parameters; of a limit
   * that refuses, {@link LimitField#SOFT} is not stored at all.
   */
  public static AttributeValue of(Limit limit, LimitField field) {
    return switch (field) {
      case CAPACITY -> StoredNumber.of(limit.capacityMilli());
      case BURST -> StoredNumber.of(limit.burstMilli());
      case REFILL_AMOUNT -> StoredNumber.of(limit.refill().amountMilli());
      case REFILL_PERIOD -> StoredNumber.of(limit.refill().periodMs());
      case SOFT -> FLAG;
      case TOKENS, CONSUMED -> throw new IllegalArgumentException(field + " is no parameter");
    };
  }

  /**
   * Whether {@code field} need not be stored, because it equals the capacity or is the default, as
   * it is for most limits: a bucket of ten limits stays within one write unit.
   */
  public static boolean isImplied(Limit limit, LimitField field) {
    return switch (field) {
      case BURST -> limit.burstMilli() == limit.capacityMilli();
      case REFILL_AMOUNT -> limit.refill().amountMilli() == limit.capacityMilli();
      case SOFT -> !limit.soft();
      case TOKENS, CONSUMED, CAPACITY, REFILL_PERIOD -> false;
    };
  }

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
