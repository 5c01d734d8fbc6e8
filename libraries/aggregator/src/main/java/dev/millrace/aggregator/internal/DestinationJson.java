package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.directory.AuditEvent;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * Dead letters and audit events as lines of JSON, without their ends. The same value is always the
 * same line. Every text can be read back as it was, halves of surrogate pairs included: the defect
 * of a record must not get lost on its way to the dead letters.
 */
public final class DestinationJson {
  private final StringBuilder text = new StringBuilder("{");

  private DestinationJson() {}

  /**
   * A dead letter: the reason, the record with its images in DynamoDB's own notation ({@code
   * {"S":"text"}}), complete, and the windows that lack it if they are not all.
   */
  public static String of(DeadLetter letter) {
    StreamRecord record = letter.record();
    DestinationJson written = new DestinationJson();
    if (!record.stream().isEmpty()) {
      written.put("stream", record.stream());
    }
    boolean known = record.kind() != OperationType.UNKNOWN_TO_SDK_VERSION;
    written
        .put("sequenceNumber", record.sequenceNumber())
        .putRaw("createdAtMs", Long.toString(record.createdAtMs()))
        .put("kind", known ? record.kind().name() : "UNKNOWN")
        .putRaw("byTimeToLive", Boolean.toString(record.byTimeToLive()))
        .putRaw("keys", item(record.keys()))
        .putRaw("oldImage", item(record.oldImage()))
        .putRaw("newImage", item(record.newImage()));
    DestinationJson object =
        new DestinationJson().put("error", letter.error()).putRaw("record", written.end());
    if (!letter.windows().isEmpty()) {
      List<String> windows = letter.windows().stream().map(w -> quoted(w.toString())).toList();
      object.putRaw("windows", list(windows));
    }
    return object.end();
  }

  /** An audit event. */
  public static String of(AuditEvent event) {
    return new DestinationJson()
        .put("namespace", event.key().namespace())
        .put("subject", event.key().subject())
        .put("id", event.key().id())
        .put("at", Instant.ofEpochMilli(event.atMs()).toString())
        .putRaw("atMs", Long.toString(event.atMs()))
        .put("actor", event.actor())
        .put("action", event.action())
        .putRaw("before", fields(event.before()))
        .putRaw("after", fields(event.after()))
        .end();
  }

  private static String fields(Map<String, String> values) {
    DestinationJson object = new DestinationJson();
    new TreeMap<>(values).forEach(object::put);
    return object.end();
  }

  private static String item(Map<String, AttributeValue> item) {
    DestinationJson object = new DestinationJson();
    new TreeMap<>(item).forEach((name, value) -> object.putRaw(name, value(value)));
    return object.end();
  }

  private static String value(AttributeValue value) {
    return switch (value.type()) {
      case S -> typed("S", quoted(value.s()));
      case N -> typed("N", quoted(value.n()));
      case B -> typed("B", bytes(value.b()));
      case SS -> typed("SS", list(value.ss().stream().map(DestinationJson::quoted).toList()));
      case NS -> typed("NS", list(value.ns().stream().map(DestinationJson::quoted).toList()));
      case BS -> typed("BS", list(value.bs().stream().map(DestinationJson::bytes).toList()));
      case L -> typed("L", list(value.l().stream().map(DestinationJson::value).toList()));
      case M -> typed("M", item(value.m()));
      case BOOL -> typed("BOOL", Boolean.toString(value.bool()));
      case NUL -> typed("NULL", "true");
      case UNKNOWN_TO_SDK_VERSION -> "{}";
    };
  }

  private static String typed(String type, String json) {
    return new DestinationJson().putRaw(type, json).end();
  }

  private static String list(List<String> values) {
    return values.stream().collect(Collectors.joining(",", "[", "]"));
  }

  private static String bytes(SdkBytes bytes) {
    return quoted(Base64.getEncoder().encodeToString(bytes.asByteArray()));
  }

  private DestinationJson put(String name, String value) {
    return putRaw(name, quoted(value));
  }

  private DestinationJson putRaw(String name, String json) {
    text.append(text.length() > 1 ? "," : "").append(quoted(name)).append(':').append(json);
    return this;
  }

  private String end() {
    return text + "}";
  }

  private static String quoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
