package dev.millrace.dynamodb.internal.schema;

import java.math.BigDecimal;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The size of an item as DynamoDB bills it: names and strings in UTF-8, numbers by their
 * significant digits. DynamoDB documents the sizes of numbers and containers as approximate.
 */
public final class ItemSize {
  public static final int WRITE_UNIT_BYTES = 1_024;
  private static final int MAX_NUMBER_BYTES = 21;
  private static final int CONTAINER_BYTES = 3;
  private static final int CONTAINER_ELEMENT_BYTES = 1;

  private ItemSize() {}

  public static int bytes(Map<String, AttributeValue> item) {
    int bytes = 0;
    for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
      bytes += utf8(attribute.getKey()) + bytes(attribute.getValue());
    }
    return bytes;
  }

  /** Write units of writing {@code item}, of which every write costs at least one. */
  public static int writeUnits(Map<String, AttributeValue> item) {
    return Math.max(1, (bytes(item) + WRITE_UNIT_BYTES - 1) / WRITE_UNIT_BYTES); // up: as billed
  }

  private static int bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> utf8(value.s());
      case N -> number(value.n());
      case B -> value.b().asByteArrayUnsafe().length;
      case SS -> value.ss().stream().mapToInt(ItemSize::utf8).sum();
      case NS -> value.ns().stream().mapToInt(ItemSize::number).sum();
      case BS -> value.bs().stream().mapToInt(b -> b.asByteArrayUnsafe().length).sum();
      case L ->
          CONTAINER_BYTES
              + value.l().stream().mapToInt(v -> bytes(v) + CONTAINER_ELEMENT_BYTES).sum();
      case M -> CONTAINER_BYTES + bytes(value.m()) + value.m().size() * CONTAINER_ELEMENT_BYTES;
      case BOOL, NUL -> 1;
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("attribute value of an unknown type");
    };
  }

  private static int number(String number) {
    BigDecimal value = new BigDecimal(number).stripTrailingZeros();
    int digits = value.signum() == 0 ? 0 : value.precision();
    int bytes = (digits + 1) / 2 + 1 + (value.signum() < 0 ? 1 : 0); // up: two digits to a byte
    return Math.min(bytes, MAX_NUMBER_BYTES);
  }

  static int utf8(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800 || Character.isSurrogate(c)) {
        bytes += 2; // a surrogate is half of a character of four bytes
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
