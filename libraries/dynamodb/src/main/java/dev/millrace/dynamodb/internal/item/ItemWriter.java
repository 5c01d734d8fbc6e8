package dev.millrace.dynamodb.internal.item;

import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of one record, until all of them are there. What is null is left out. */
final class ItemWriter {
  private final Map<String, AttributeValue> item;

  ItemWriter(Map<String, AttributeValue> key) {
    this.item = new HashMap<>(key);
  }

  ItemWriter text(String attribute, @Nullable String value) {
    return value == null ? this : put(attribute, AttributeValue.fromS(value));
  }

  ItemWriter number(String attribute, long value) {
    return put(attribute, StoredNumber.of(value));
  }

  ItemWriter numberUnless(long unless, String attribute, long value) {
    return value == unless ? this : number(attribute, value);
  }

  /** The name of a constant in lower case. */
  ItemWriter constant(String attribute, @Nullable Enum<?> value) {
    return value == null ? this : text(attribute, value.name().toLowerCase(Locale.ROOT));
  }

  ItemWriter flag(String attribute, @Nullable Boolean value) {
    return value == null ? this : put(attribute, AttributeValue.fromBool(value));
  }

  /** A list, left out when it is empty. */
  ItemWriter texts(String attribute, List<String> values) {
    return values.isEmpty()
        ? this
        : put(attribute, AttributeValue.fromL(values.stream().map(AttributeValue::fromS).toList()));
  }

  /** Texts by name, left out when there are none. */
  ItemWriter textsByName(String attribute, Map<String, String> values) {
    if (values.isEmpty()) {
      return this;
    }
    if (values.containsKey("")) {
      throw new IllegalArgumentException(attribute + " has a field without a name");
    }
    Map<String, AttributeValue> texts = new HashMap<>();
    values.forEach((name, value) -> texts.put(name, AttributeValue.fromS(value)));
    return put(attribute, AttributeValue.fromM(texts));
  }

  ItemWriter index(TableIndex index, String partition, String sort) {
    return text(index.partitionKey(), partition).text(index.sortKey(), sort);
  }

  ItemWriter put(String attribute, AttributeValue value) {
    item.put(attribute, value);
    return this;
  }

  Map<String, AttributeValue> toItem() {
    return item;
  }
}
