package dev.millrace.server.json;

import dev.millrace.server.problem.BadRequest;
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
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object of JSON, read one by one by name. {@link #done} refuses what was not
 * asked for: a field that is misspelt must not be a field that is ignored. A field that is null is
 * one that is not there.
 */
public final class JsonFields {
  private final String path;
  private final Map<String, @Nullable Object> fields;
  private final Set<String> known = new LinkedHashSet<>();

  JsonFields(String path, Map<String, @Nullable Object> fields) {
    this.path = path;
    this.fields = fields;
  }

  /** An object without fields, for a request without a body. */
  public static JsonFields none() {
    return new JsonFields("", Map.of());
  }

  static String path(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Whether the field is there and not null. */
  public boolean has(String name) {
    return value(name) != null;
  }

  /** Whether the field is there, be it null: for changes, in which null takes something away. */
  public boolean mentions(String name) {
    known.add(name);
    return fields.containsKey(name);
  }

  /** Whether the field is a whole number. */
  public boolean isWhole(String name) {
    return value(name) instanceof Long;
  }

  /** A text that must be there. */
  public String text(String name) {
    return required(name, textOrNull(name));
  }

  /** A text, null when it is not there. */
  public @Nullable String textOrNull(String name) {
    return of(String.class, name, "a text");
  }

  /** A whole number that must be there. */
  public long whole(String name) {
    return required(name, wholeOrNull(name));
  }

  /** A whole number, null when it is not there. */
  public @Nullable Long wholeOrNull(String name) {
    return of(Long.class, name, "a whole number of at most 64 bits");
  }

  /** A flag. */
  public boolean flag(String name, boolean otherwise) {
    Boolean flag = of(Boolean.class, name, "true or false");
    return flag == null ? otherwise : flag;
  }

  /** A time such as {@code PT1M30S}, null when it is not there. */
  public @Nullable Duration durationOrNull(String name) {
    String text = textOrNull(name);
    if (text == null) {
      return null;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw wrong(name, text, "a duration such as PT5S or PT1M30S");
    }
  }

  /** A moment such as {@code 2026-11-15T12:00:00Z}, null when it is not there. */
  public @Nullable Instant instantOrNull(String name) {
    String text = textOrNull(name);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw wrong(name, text, "a moment in UTC such as 2026-11-15T12:00:00Z");
    }
  }

  /** One of the constants of {@code type}, null when it is not there. */
  public <E extends Enum<E>> @Nullable E choiceOrNull(String name, Class<E> type) {
    String text = textOrNull(name);
    if (text == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(text.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw wrong(name, text, "one of " + Arrays.toString(type.getEnumConstants()));
  }

  /** An object that must be there. */
  public JsonFields object(String name) {
    return required(name, objectOrNull(name));
  }

  /** An object, null when it is not there. */
  public @Nullable JsonFields objectOrNull(String name) {
    Map<?, ?> value = of(Map.class, name, "an object");
    return value == null ? null : new JsonFields(path(path, name), named(value));
  }

  /** A list of at most {@code most} objects, empty when it is not there. */
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

  /** A list of at most {@code most} texts, empty when it is not there. */
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

  /** An object of at most {@code most} whole numbers by name, null when it is not there. */
  public @Nullable Map<String, Long> numbersOrNull(String name, int most) {
    JsonFields object = objectOrNull(name);
    if (object == null) {
      return null;
    }
    if (object.fields.size() > most) {
      throw BadRequest.field(
          path(path, name), "has " + object.fields.size() + " entries, at most " + most);
    }
    Map<String, Long> numbers = new LinkedHashMap<>();
    object.fields.keySet().forEach(key -> numbers.put(key, object.whole(key)));
    return numbers;
  }

  /** The names of all fields, in their order; counts as asking for each. */
  public Set<String> names() {
    known.addAll(fields.keySet());
    return fields.keySet();
  }

  /** Refuses every field that nobody asked for. */
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
    if (list.size() > most) {
      throw BadRequest.field(path(path, name), "has " + list.size() + " entries, at most " + most);
    }
    return list;
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
