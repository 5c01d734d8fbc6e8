package dev.millrace.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.MediaType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of objects of JSON from untrusted bytes. Everything but exactly one object in UTF-8,
 * with each name once and within the bounds below, is refused; the refusal has the place, and
 * repeats no more of the input than a person needs.
 */
public final class JsonReader {
  static final int MAX_DEPTH = 32;
  private static final int MAX_TEXT_CHARS = 64 * 1024;
  private static final int MAX_NAME_CHARS = 512;
  private static final int MAX_NUMBER_DIGITS = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .maxNumberLength(MAX_NUMBER_DIGITS)
                  .build())
          .build();

  private JsonReader() {}

  /** The fields of the object that the body of {@code request} must be. */
  public static JsonFields required(AggregatedHttpRequest request) {
    MediaType type = request.headers().contentType();
    Charset charset = type == null ? null : type.charset();
    if (type == null
        || !type.is(MediaType.JSON.withoutParameters()) // a browser's form cannot send this type
        || (charset != null && !charset.equals(StandardCharsets.UTF_8))) {
      throw unsupported("the body must be sent with Content-Type: application/json");
    }
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw unsupported("the body must be sent without Content-Encoding");
    }
    return object(request.content().array());
  }

  /** The fields of the body of {@code request}; none when it has no body. */
  public static JsonFields optional(AggregatedHttpRequest request) {
    return request.content().isEmpty() ? new JsonFields("", Map.of()) : required(request);
  }

  private static ProblemException unsupported(String detail) {
    return ProblemException.of(
            415, "unsupported-media-type", "The body is of a type that is not understood")
        .detail(detail);
  }

  /** The fields of the object that {@code body} must be. */
  public static JsonFields object(byte[] body) {
    try (JsonParser parser = FACTORY.createParser(text(body))) {
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
              .formatted(MAX_DEPTH, MAX_TEXT_CHARS, MAX_NAME_CHARS, MAX_NUMBER_DIGITS));
    } catch (JsonProcessingException e) {
      throw BadRequest.because(
          "the body is not JSON: line %d, column %d"
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    } catch (CharacterCodingException e) {
      throw BadRequest.because("the body is not UTF-8");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  /** Strict UTF-8: a replacement character would be stored in a name that was never sent. */
  private static String text(byte[] body) throws CharacterCodingException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(body))
        .toString();
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
      case START_ARRAY -> {
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(parser, path + "[" + values.size() + "]"));
        }
        yield values;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> {
        BigInteger number = parser.getBigIntegerValue();
        yield number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
      }
      case VALUE_NUMBER_FLOAT -> new Fraction(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** A number with a fraction, as it was sent; no field accepts one. */
  private record Fraction(String text) {
    @Override
    public String toString() {
      return text;
    }
  }
}
