package dev.millrace.server.json;

import dev.millrace.LimitSet;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object of JSON, read one by one by name. {@link #done} refuses the fields that
 * were not read, so that a misspelt field is never ignored. A field with null counts as absent; it
 * is null for the methods {@code …OrNull}, and a problem for the others.
 */
public final class JsonFields {
  private final String path;
  private final Map<String, @Nullable Object> fields;
  private final Set<String> known = new LinkedHashSet<>();

  JsonFields(String path, Map<String, @Nullable Object> fields) {
    this.path = path;
    this.fields = fields;
  }

  static String path(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Whether the field is present and not null. */
  public boolean has(String name) {
    return value(name) != null;
  }

  /** Whether the field is present, even if it is null: in changes, null removes a value. */
  public boolean mentions(String name) {
    known.add(name);
    return fields.containsKey(name);
  }

  /** Whether the field is a whole number. */
  public boolean isWhole(String name) {
    return value(name) instanceof Long;
  }

  public String text(String name) {
    return required(name, textOrNull(name));
  }

  public @Nullable String textOrNull(String name) {
    return of(String.class, name, "a text");
  }

  public long whole(String name) {
    return required(name, wholeOrNull(name));
  }

  public @Nullable Long wholeOrNull(String name) {
    return of(Long.class, name, "a whole number of at most 64 bits");
  }

  public boolean flag(String name, boolean otherwise) {
    Boolean flag = of(Boolean.class, name, "true or false");
    return flag == null ? otherwise : flag;
  }

  public @Nullable Duration durationOrNull(String name) {
    return parsed(name, Duration::parse, "a duration such as PT5S or PT1M30S");
  }

  public @Nullable Instant instantOrNull(String name) {
    return parsed(name, Instant::parse, "a moment in UTC such as 2026-11-15T12:00:00Z");
  }

  private <T> @Nullable T parsed(String name, Function<String, T> parser, String expected) {
    String text = textOrNull(name);
    try {
      return text == null ? null : parser.apply(text);
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw wrong(name, text, expected);
    }
  }

  public <E extends Enum<E>> @Nullable E choiceOrNull(String name, Class<E> type) {
    return parsed(
        name,
        text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)),
        "one of " + Arrays.toString(type.getEnumConstants()));
  }

  public JsonFields object(String name) {
    return required(name, objectOrNull(name));
  }

  public @Nullable JsonFields objectOrNull(String name) {
    Map<?, ?> value = of(Map.class, name, "an object");
    return value == null ? null : new JsonFields(path(path, name), named(value));
  }

  /** A list of at most {@code most} objects, empty when it is absent. */
  public List<JsonFields> objects(String name, int most) {
    List<JsonFields> objects = new ArrayList<>();
    for (Object value : list(name, most)) {
      String at = name + "[" + objects.size() + "]";
      if (!(value instanceof Map<?, ?> map)) {
        throw wrong(at, value, "an object");
      }
      objects.add(new JsonFields(path(path, at), named(map)));
    }
    return objects;
  }

  /** A list of at most {@code most} texts, empty when it is absent. */
  public List<String> texts(String name, int most) {
    List<String> texts = new ArrayList<>();
    for (Object value : list(name, most)) {
      if (!(value instanceof String text)) {
        throw wrong(name + "[" + texts.size() + "]", value, "a text");
      }
      texts.add(text);
    }
    return texts;
  }

  /** An object of at most {@code most} whole numbers by name, null when it is absent. */
  public @Nullable Map<String, Long> numbersOrNull(String name, int most) {
    JsonFields object = objectOrNull(name);
    if (object == null) {
      return null;
    }
    requireAtMost(name, object.fields.size(), most);
    Map<String, Long> numbers = new LinkedHashMap<>();
    object.fields.keySet().forEach(key -> numbers.put(key, object.whole(key)));
    return numbers;
  }

  /** The object {@code name} of at least one amount by limit. */
  public Map<String, Long> amounts(String name) {
    Map<String, Long> amounts = numbersOrNull(name, LimitSet.MAX_LIMITS);
    if (amounts == null || amounts.isEmpty()) {
      throw BadRequest.field(name, "is missing: name at least one limit and its amount");
    }
    return amounts;
  }

  /** The names of all fields, in their order; counts as reading each. */
  public Set<String> names() {
    known.addAll(fields.keySet());
    return fields.keySet();
  }

  /** Refuses every field that was not read. */
  public void done() {
    for (String name : fields.keySet()) {
      if (!known.contains(name)) {
        throw BadRequest.field(path(path, name), "is not known here; known are " + known);
      }
    }
  }

  private List<?> list(String name, int most) {
    List<?> list = of(List.class, name, "a list");
    if (list == null) {
      return List.of();
    }
    requireAtMost(name, list.size(), most);
    return list;
  }

  private void requireAtMost(String name, int size, int most) {
    if (size > most) {
      throw BadRequest.field(path(path, name), "has " + size + " entries, at most " + most);
    }
  }

  private @Nullable Object value(String name) {
    known.add(name);
    return fields.get(name);
  }

  private <T> @Nullable T of(Class<T> type, String name, String expected) {
    Object value = value(name);
    if (value != null && !type.isInstance(value)) {
      throw wrong(name, value, expected);
    }
    return type.cast(value);
  }

  private <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw BadRequest.field(path(path, name), "is missing");
    }
    return value;
  }

  private RuntimeException wrong(String name, @Nullable Object value, String expected) {
    String given =
        value == null
            ? "null"
            : value instanceof Map ? "an object" : value instanceof List ? "a list" : quoted(value);
    return BadRequest.field(path(path, name), "is " + given + ", must be " + expected);
  }

  private static String quoted(Object value) {
    return value instanceof String ? "'" + BadRequest.shown(value) + "'" : BadRequest.shown(value);
  }

  @SuppressWarnings("unchecked") // the reader makes no others
  private static Map<String, @Nullable Object> named(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
