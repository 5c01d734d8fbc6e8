package dev.millrace.dynamodb.item;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.dynamodb.schema.LimitField;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is stored of a limit, field by field. */
public final class LimitFields {
  /** The value of a flag, which is there or not. */
  public static final AttributeValue FLAG = number(1);

  private LimitFields() {}

  /** What is stored of {@code state} in {@code field}. */
  public static AttributeValue of(LimitState state, LimitField field) {
    return switch (field) {
      case TOKENS -> number(state.tokensMilli());
      case CONSUMED -> number(state.consumedMilli());
      case CAPACITY, BURST, REFILL_AMOUNT, REFILL_PERIOD, SOFT -> of(state.limit(), field);
    };
  }

  /**
   * What is stored of {@code limit} in {@code field}, which is one of its parameters; of a limit
   * that refuses, {@link LimitField#SOFT} is not stored at all.
   */
  public static AttributeValue of(Limit limit, LimitField field) {
    return switch (field) {
      case CAPACITY -> number(limit.capacityMilli());
      case BURST -> number(limit.burstMilli());
      case REFILL_AMOUNT -> number(limit.refill().amountMilli());
      case REFILL_PERIOD -> number(limit.refill().periodMs());
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

  /** A number. */
  public static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
