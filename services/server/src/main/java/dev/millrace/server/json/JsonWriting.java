package dev.millrace.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Writes answers: maps, lists, records, texts, numbers; moments as ISO 8601 in UTC. */
public final class JsonWriting {
  private static final ObjectWriter WRITER =
      new ObjectMapper()
          .registerModule(new SimpleModule().addSerializer(Instant.class, new Moments()))
          .writer();

  private JsonWriting() {}

  /** {@code value} as JSON. */
  public static byte[] bytes(Object value) {
    try {
      return WRITER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
    }
  }

  /** An answer of 200 that is {@code value}. */
  public static HttpResponse ok(Object value) {
    return answer(HttpStatus.OK, value, Map.of());
  }

  /** An answer that is {@code value}, with further header fields. */
  public static HttpResponse answer(HttpStatus status, Object value, Map<String, String> fields) {
    return whole(status, value, fields).toHttpResponse();
  }

  /** The same, for an answer that may be given more than once. */
  public static AggregatedHttpResponse whole(
      HttpStatus status, Object value, Map<String, String> fields) {
    return AggregatedHttpResponse.of(
        headers(status, MediaType.JSON, fields).build(), HttpData.wrap(bytes(value)));
  }

  /** The header of every answer: nobody guesses its type, nobody keeps it. */
  public static ResponseHeadersBuilder headers(
      HttpStatus status, MediaType type, Map<String, String> fields) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(status)
            .contentType(type)
            .set("x-content-type-options", "nosniff")
            .set("cache-control", "no-store");
    fields.forEach(headers::set);
    return headers;
  }

  private static final class Moments extends StdSerializer<Instant> {
    private static final long serialVersionUID = 1L;

    Moments() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(value.toString());
    }
  }
}
