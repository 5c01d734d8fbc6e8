package dev.millrace.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as JSON on one line: maps with names, lists, strings, numbers, booleans and null. */
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonText() {}

  /** An object with these fields, names and values in turn, in this order. */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  /** The value as JSON. */
  public static String of(@Nullable Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Collection<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Double number) {
      json.writeNumber(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
    } else {
      json.writePOJO(value);
    }
  }
}
