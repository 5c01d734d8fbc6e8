package dev.millrace.dynamodb.internal.item;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.internal.schema.LimitField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

  private static final String[] SUFFIXES =
      Arrays.stream(FIELDS).map(LimitField::suffix).toArray(String[]::new);

  private static final Comparator<StoredLimit> BY_NAME = Comparator.comparing(limit -> limit.name);

  /** Most items have fewer limits. */
  private static final int USUAL_LIMITS = 4;

  private final String name;
  private @Nullable AttributeValue tokens;
  private @Nullable AttributeValue capacity;
  private @Nullable AttributeValue burst;
  private @Nullable AttributeValue refillAmount;
  private @Nullable AttributeValue refillPeriod;
  private @Nullable AttributeValue consumed;
  private @Nullable AttributeValue flag;

  private StoredLimit(String name) {
    this.name = name;
  }

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

  /**
   * The limits in an item, in the order of their names.
   *
   * @param prefix what the attributes of limits begin with
   */
  static List<StoredLimit> readAll(String prefix, Map<String, AttributeValue> item) {
    List<StoredLimit> limits = new ArrayList<>(USUAL_LIMITS);
    for (Map.Entry<String, AttributeValue> entry : item.entrySet()) {
      String attribute = entry.getKey();
      int separator = separator(prefix, attribute);
      LimitField field = separator < 0 ? null : field(attribute, separator + 1);
      if (field != null) {
        find(limits, attribute, prefix.length(), separator).put(field, entry.getValue());
      }
    }
    if (limits.size() > 1) {
      limits.sort(BY_NAME);
    }
    return limits;
  }

  /** Where the name of a limit ends, negative when there is none. */
  static int separator(String prefix, String attribute) {
    int separator = attribute.lastIndexOf(LimitField.SEPARATOR);
    return separator > prefix.length() && attribute.startsWith(prefix) ? separator : -1;
  }

  /** The field whose suffix begins at {@code start}, null when there is none. */
  static @Nullable LimitField field(String attribute, int start) {
    for (int i = 0; i < SUFFIXES.length; i++) {
      String suffix = SUFFIXES[i];
      if (attribute.length() - start == suffix.length() && attribute.startsWith(suffix, start)) {
        return FIELDS[i];
      }
    }
    return null;
  }

  /** The limit whose name is a part of {@code attribute}; added when it is the first one of it. */
  private static StoredLimit find(List<StoredLimit> limits, String attribute, int start, int end) {
    for (int i = 0; i < limits.size(); i++) {
      String name = limits.get(i).name;
      if (name.length() == end - start && attribute.startsWith(name, start)) {
        return limits.get(i);
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

  private void put(LimitField field, AttributeValue value) {
    switch (field) {
      case TOKENS -> tokens = value;
      case CAPACITY -> capacity = value;
      case BURST -> burst = value;
      case REFILL_AMOUNT -> refillAmount = value;
      case REFILL_PERIOD -> refillPeriod = value;
      case CONSUMED -> consumed = value;
      case SOFT -> flag = value;
    }
  }

  /**
   * The limit that the fields make up.
   *
   * @throws IllegalArgumentException when they make none; it says why
   */
  LimitState toState() {
    long tokensMilli = balance(text(LimitField.TOKENS, tokens));
    long consumedMilli = counter(text(LimitField.CONSUMED, consumed));
    return new LimitState(toLimit(), tokensMilli, consumedMilli);
  }

  /** The same of a config, where there is no balance. */
  Limit toLimit() {
    long capacityMilli = number(LimitField.CAPACITY, capacity);
    // A field that equals the capacity need not be stored.
    long amountMilli =
        refillAmount == null ? capacityMilli : number(LimitField.REFILL_AMOUNT, refillAmount);
    long periodMs = number(LimitField.REFILL_PERIOD, refillPeriod);
    long burstMilli = burst == null ? capacityMilli : number(LimitField.BURST, burst);
    boolean soft = flag != null && isSet(number(LimitField.SOFT, flag));
    return new Limit(name, capacityMilli, burstMilli, Refill.of(amountMilli, periodMs), soft);
  }

  /** Whether there is a parameter of the limit, and not only a balance or a counter. */
  boolean hasParameters() {
    return capacity != null
        || burst != null
        || refillAmount != null
        || refillPeriod != null
        || flag != null;
  }

  private static boolean isSet(long stored) {
    if (stored != 1) {
      throw new IllegalArgumentException("sf " + stored + " must be 1 or absent");
    }
    return true;
  }

  /** A balance: nearly all are whole numbers of 64 bits. */
  static long balance(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return StoredNumber.saturated(text);
    }
  }

  private static long counter(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return StoredNumber.wrapped(text);
    }
  }

  private static long number(LimitField field, @Nullable AttributeValue value) {
    return Long.parseLong(text(field, value));
  }

  private static String text(LimitField field, @Nullable AttributeValue value) {
    if (value == null || value.n() == null) {
      throw new IllegalArgumentException(field.suffix() + " is missing or not a number");
    }
    return value.n();
  }
}
