package dev.millrace.aggregator.json;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A dead letter as one line of JSON: the reason, the record with its images in DynamoDB's own
 * notation ({@code {"S":"text"}}), complete, and the windows that lack it if they are not all.
 */
public final class LetterJson {
  private LetterJson() {}

  /** The line, without its end. The same letter is always the same line. */
  public static String of(DeadLetter letter) {
    StreamRecord record = letter.record();
    JsonObject written = new JsonObject();
    if (!record.stream().isEmpty()) {
      written.put("stream", record.stream());
    }
    written
        .put("sequenceNumber", record.sequenceNumber())
        .put("createdAtMs", record.createdAtMs())
        .put("kind", record.kind().name())
        .put("byTimeToLive", record.byTimeToLive())
        .putRaw("keys", item(record.keys()))
        .putRaw("oldImage", item(record.oldImage()))
        .putRaw("newImage", item(record.newImage()));
    JsonObject object =
        new JsonObject().put("error", letter.error()).putRaw("record", written.toString());
    if (!letter.windows().isEmpty()) {
      object.putRaw(
          "windows",
          list(letter.windows().stream().map(w -> JsonObject.quoted(w.toString())).toList()));
    }
    return object.toString();
  }

  private static String item(Map<String, AttributeValue> item) {
    JsonObject object = new JsonObject();
    new TreeMap<>(item).forEach((name, value) -> object.putRaw(name, value(value)));
    return object.toString();
  }

  private static String value(AttributeValue value) {
    return switch (value.type()) {
      case S -> typed("S", JsonObject.quoted(value.s()));
      case N -> typed("N", JsonObject.quoted(value.n()));
      case B -> typed("B", bytes(value.b()));
      case SS -> typed("SS", list(value.ss().stream().map(JsonObject::quoted).toList()));
      case NS -> typed("NS", list(value.ns().stream().map(JsonObject::quoted).toList()));
      case BS -> typed("BS", list(value.bs().stream().map(LetterJson::bytes).toList()));
      case L -> typed("L", list(value.l().stream().map(LetterJson::value).toList()));
      case M -> typed("M", item(value.m()));
      case BOOL -> typed("BOOL", Boolean.toString(value.bool()));
      case NUL -> typed("NULL", "true");
      case UNKNOWN_TO_SDK_VERSION -> "{}";
    };
  }

  private static String typed(String type, String json) {
    return new JsonObject().putRaw(type, json).toString();
  }

  private static String list(List<String> values) {
    return values.stream().collect(Collectors.joining(",", "[", "]"));
  }

  private static String bytes(SdkBytes bytes) {
    return JsonObject.quoted(Base64.getEncoder().encodeToString(bytes.asByteArray()));
  }
}
