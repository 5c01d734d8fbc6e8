package dev.millrace.dynamodb.internal.item;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.internal.schema.LimitField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A limit as it is stored, field by field, and back: an instance holds the fields that were found
 * in an item.
 *
 * <p>The attribute of a field is {@code b_{limit}_{field}} in a bucket and {@code
 * l_{limit}_{field}} in a config. The last underscore divides: a limit's name may contain some, and
 * may even end like a field.
 */
public final class StoredLimit {
  /** The value of a flag, which is there or not. */
  public static final AttributeValue FLAG = StoredNumber.of(1);

  private static final LimitField[] FIELDS = LimitField.values();
  private final String name;
  private final Map<LimitField, AttributeValue> values = new EnumMap<>(LimitField.class);

  private StoredLimit(String name) {
    this.name = name;
  }

  /** The stored value of {@code field} of {@code state}. */
  public static AttributeValue of(LimitState state, LimitField field) {
    return switch (field) {
      case TOKENS -> StoredNumber.of(state.tokensMilli());
      case CONSUMED -> StoredNumber.of(state.consumedMilli());
      case CAPACITY, BURST, REFILL_AMOUNT, REFILL_PERIOD, SOFT -> of(state.limit(), field);
    };
  }

  /**
   * The stored value of {@code field}, which is one of the parameters of {@code limit}; of a limit
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

  /**
   * The limits in an item, in the order of their names.
   *
   * @param prefix the prefix of the attributes of limits
   */
  static List<StoredLimit> readAll(String prefix, Map<String, AttributeValue> item) {
    List<StoredLimit> limits = new ArrayList<>();
    for (Map.Entry<String, AttributeValue> entry : item.entrySet()) {
      String attribute = entry.getKey();
      int separator = separator(prefix, attribute);
      LimitField field = separator < 0 ? null : field(attribute, separator + 1);
      if (field != null) {
        find(limits, attribute, prefix.length(), separator).values.put(field, entry.getValue());
      }
    }
    limits.sort(Comparator.comparing(StoredLimit::name));
    return limits;
  }

  /** The end of the name of a limit in {@code attribute}, negative when there is none. */
  static int separator(String prefix, String attribute) {
    int separator = attribute.lastIndexOf(LimitField.SEPARATOR);
    return separator > prefix.length() && attribute.startsWith(prefix) ? separator : -1;
  }

  /** The field whose suffix begins at {@code start}, null when there is none. */
  static @Nullable LimitField field(String attribute, int start) {
    for (LimitField field : FIELDS) {
      String suffix = field.suffix();
      if (attribute.length() - start == suffix.length() && attribute.startsWith(suffix, start)) {
        return field;
      }
    }
    return null;
  }

  /** The limit whose name is a part of {@code attribute}; added when it is the first one of it. */
  private static StoredLimit find(List<StoredLimit> limits, String attribute, int start, int end) {
    for (StoredLimit limit : limits) {
      if (limit.name.length() == end - start && attribute.startsWith(limit.name, start)) {
        return limit;
      }
    }
    StoredLimit limit = new StoredLimit(attribute.substring(start, end));
    limits.add(limit);
    return limit;
  }

  /** The limit whose counter a bucket's {@code attribute} is, null when it is no user's limit's. */
  public static @Nullable String limitOfCounter(String attribute) {
    int separator = separator(LimitField.PREFIX, attribute);
    if (separator < 0 || field(attribute, separator + 1) != LimitField.CONSUMED) {
      return null;
    }
    String name = attribute.substring(LimitField.PREFIX.length(), separator);
    return name.equals(NameRules.RESERVED_LIMIT) ? null : name;
  }

  String name() {
    return name;
  }

  /**
   * The limit that the fields make up.
   *
   * @throws IllegalArgumentException when they make none; it says why
   */
  LimitState toState() {
    long tokensMilli = StoredNumber.saturated(text(LimitField.TOKENS));
    long consumedMilli = StoredNumber.wrapped(text(LimitField.CONSUMED));
    return new LimitState(toLimit(), tokensMilli, consumedMilli);
  }

  /** The same of a config, where there is no balance. */
  Limit toLimit() {
    long capacityMilli = number(LimitField.CAPACITY);
    // A field that equals the capacity need not be stored.
    long amountMilli =
        has(LimitField.REFILL_AMOUNT) ? number(LimitField.REFILL_AMOUNT) : capacityMilli;
    long periodMs = number(LimitField.REFILL_PERIOD);
    long burstMilli = has(LimitField.BURST) ? number(LimitField.BURST) : capacityMilli;
    boolean soft = has(LimitField.SOFT);
    if (soft && number(LimitField.SOFT) != 1) {
      throw new IllegalArgumentException("sf " + number(LimitField.SOFT) + " must be 1 or absent");
    }
    return new Limit(name, capacityMilli, burstMilli, Refill.of(amountMilli, periodMs), soft);
  }

  /** Whether there is a parameter of the limit, and not only a balance or a counter. */
  boolean hasParameters() {
    for (LimitField field : FIELDS) {
      if (field.isParameter() && has(field)) {
        return true;
      }
    }
    return false;
  }

  private boolean has(LimitField field) {
    return values.containsKey(field);
  }

  private long number(LimitField field) {
    return Long.parseLong(text(field));
  }

  private String text(LimitField field) {
    AttributeValue value = values.get(field);
    if (value == null || value.n() == null) {
      throw new IllegalArgumentException(field.suffix() + " is missing or not a number");
    }
    return value.n();
  }
}
