package dev.millrace.dynamodb.internal.item;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of one record. What is missing or of another type is an error that names it and
 * never a guess; other attributes are ignored, so that a newer version may add some.
 */
public final class ItemReader {
  private final ItemAddress address;
  private final Map<String, AttributeValue> item;

  public ItemReader(ItemAddress address, Map<String, AttributeValue> item) {
    this.address = address;
    this.item = item;
  }

  Map<String, AttributeValue> item() {
    return item;
  }

  boolean has(String attribute) {
    return item.containsKey(attribute);
  }

  /** The result of {@code check} for a value; what it refuses is corrupt. */
  <V, R> R checked(String attribute, V value, Function<V, R> check) {
    try {
      return check.apply(value);
    } catch (IllegalArgumentException e) { // also a number that is none
      throw corrupt(attribute + ": " + e.getMessage(), e);
    }
  }

  /** The constant that is stored as {@code text}, its name in lower case. */
  <E extends Enum<E>> E constant(String attribute, String text, E[] constants, String otherwise) {
    for (E constant : constants) {
      if (text.equals(constant.name().toLowerCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw corrupt(attribute + " '" + text + "' is " + otherwise, null);
  }

  String text(String attribute) {
    String text = textOrNull(attribute);
    if (text == null) {
      throw corrupt(attribute + " is missing", null);
    }
    return text;
  }

  @Nullable String textOrNull(String attribute) {
    AttributeValue value = item.get(attribute);
    return value == null ? null : text(attribute, value);
  }

  private String text(String attribute, AttributeValue value) {
    if (value.s() == null) {
      throw corrupt(attribute + " is not a text", null);
    }
    return value.s();
  }

  public long number(String attribute) {
    if (!item.containsKey(attribute)) {
      throw corrupt(attribute + " is missing", null);
    }
    return number(attribute, 0);
  }

  public long number(String attribute, long valueWhenMissing) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      return valueWhenMissing;
    }
    if (value.n() == null) {
      throw corrupt(attribute + " is not a number", null);
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw corrupt(attribute + " is not a whole number of 64 bits", e);
    }
  }

  /** A number that may be beyond 64 bits, and is then as large as they can hold. */
  public long saturated(String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null || value.n() == null) {
      throw corrupt(attribute + " is not a number", null);
    }
    return StoredNumber.saturated(value.n());
  }

  /** A number that cannot be less than {@code least}. */
  long atLeast(long least, String attribute) {
    long number = number(attribute);
    if (number < least) {
      throw corrupt(attribute + " " + number + " is below " + least, null);
    }
    return number;
  }

  boolean flag(String attribute) {
    Boolean flag = flagOrNull(attribute);
    if (flag == null) {
      throw corrupt(attribute + " is missing", null);
    }
    return flag;
  }

  @Nullable Boolean flagOrNull(String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      return null;
    }
    if (value.bool() == null) {
      throw corrupt(attribute + " is not true or false", null);
    }
    return value.bool();
  }

  /** A list of texts, empty when it is missing. */
  List<String> texts(String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      return List.of();
    }
    if (!value.hasL()) {
      throw corrupt(attribute + " is not a list", null);
    }
    List<String> texts = new ArrayList<>(value.l().size());
    for (AttributeValue element : value.l()) {
      texts.add(text("an element of " + attribute, element));
    }
    return texts;
  }

  /** Texts by name, empty when they are missing. */
  Map<String, String> textsByName(String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      return Map.of();
    }
    if (!value.hasM()) {
      throw corrupt(attribute + " is not a map", null);
    }
    Map<String, String> texts = new LinkedHashMap<>();
    value.m().forEach((name, text) -> texts.put(name, text(attribute + "." + name, text)));
    return texts;
  }

  /** What to throw when the item makes no sense. */
  public MillraceException corrupt(String problem, @Nullable Throwable cause) {
    return corrupt(address, problem, cause);
  }

  static MillraceException corrupt(ItemAddress address, String problem, @Nullable Throwable cause) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("partition", address.partition());
    attributes.put("sort", address.sort());
    attributes.put("problem", problem);
    return new MillraceException("corrupt record", attributes, cause);
  }
}
