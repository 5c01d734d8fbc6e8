package dev.millrace.server.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.millrace.adapters.http.HttpProblem;
import java.time.Instant;
import java.util.Map;

/** Responses of JSON, from maps, lists, records, texts and numbers; times are ISO 8601 in UTC. */
public final class JsonResponses {
  private static final ObjectWriter WRITER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
          .writer();

  private JsonResponses() {}

  public static byte[] bytes(Object value) {
    try {
      return WRITER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
    }
  }

  public static HttpResponse ok(Object value) {
    return of(HttpStatus.OK, value, Map.of()).toHttpResponse();
  }

  public static AggregatedHttpResponse of(
      HttpStatus status, Object value, Map<String, String> fields) {
    return of(status, MediaType.JSON, value, fields);
  }

  public static AggregatedHttpResponse problem(HttpProblem problem, Map<String, String> fields) {
    return of(
        HttpStatus.valueOf(problem.status()),
        MediaType.parse(HttpProblem.MEDIA_TYPE),
        problem.all(),
        fields);
  }

  private static AggregatedHttpResponse of(
      HttpStatus status, MediaType type, Object value, Map<String, String> fields) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(status)
            .contentType(type)
            .set("x-content-type-options", "nosniff")
            .set("cache-control", "no-store");
    fields.forEach(headers::set);
    return AggregatedHttpResponse.of(headers.build(), HttpData.wrap(bytes(value)));
  }
}
