package dev.millrace.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.millrace.server.problem.BadRequest;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object of JSON from bytes that anybody may have sent. What is not exactly one object in
 * UTF-8, each name in it once, within the limits below, is refused; the refusal says where, and
 * repeats as much of the input as a person needs and no more.
 */
public final class JsonReading {
  /** Deepest nesting of objects and lists. */
  public static final int MAX_DEPTH = 32;

  /** Longest text, in characters. */
  public static final int MAX_TEXT = 64 * 1024;

  /** Longest name of a field, in characters. */
  public static final int MAX_NAME = 512;

  /** Most digits of a number. */
  public static final int MAX_NUMBER = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(MAX_NAME)
                  .maxNumberLength(MAX_NUMBER)
                  .build())
          .build();

  private JsonReading() {}

  /** The fields of the object that {@code body} is. */
  public static JsonFields object(byte[] body) {
    return object(text(body));
  }

  private static JsonFields object(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw BadRequest.because("the body must be a JSON object");
      }
      Map<String, @Nullable Object> fields = fields(parser, "");
      if (parser.nextToken() != null) {
        throw BadRequest.because("the body goes on after the end of its JSON object");
      }
      return new JsonFields("", fields);
    } catch (StreamConstraintsException e) {
      throw BadRequest.because(
          "the body is nested deeper than %d, or has a text of more than %d characters, a name of more than %d or a number of more than %d"
              .formatted(MAX_DEPTH, MAX_TEXT, MAX_NAME, MAX_NUMBER));
    } catch (JsonProcessingException e) {
      throw BadRequest.because(
          "the body is not JSON: line %d, column %d"
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    } catch (IOException e) {
      throw new IllegalStateException("a text cannot fail to be read", e);
    }
  }

  /** Strictly UTF-8: what is replaced silently would be stored under a name that nobody sent. */
  private static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(body))
          .toString();
    } catch (CharacterCodingException e) {
      throw BadRequest.because("the body is not UTF-8");
    }
  }

  private static Map<String, @Nullable Object> fields(JsonParser parser, String path)
      throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String field = JsonFields.path(path, name);
      if (fields.containsKey(name)) {
        throw BadRequest.field(field, "is given twice");
      }
      parser.nextToken();
      fields.put(name, value(parser, field));
    }
    return fields;
  }

  private static @Nullable Object value(JsonParser parser, String path) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> fields(parser, path);
      case START_ARRAY -> list(parser, path);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> new Fraction(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static List<@Nullable Object> list(JsonParser parser, String path) throws IOException {
    List<@Nullable Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(parser, path + "[" + values.size() + "]"));
    }
    return values;
  }

  private static Object whole(JsonParser parser) throws IOException {
    BigInteger value = parser.getBigIntegerValue();
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  /** A number that is not whole, as it was written: nothing here computes with it. */
  record Fraction(String text) {
    @Override
    public String toString() {
      return text;
    }
  }
}
