package dev.millrace.aggregator.json;

import dev.millrace.core.spi.directory.AuditEvent;
import java.time.Instant;

/** An audit event as one line of JSON. */
public final class AuditJson {
  private AuditJson() {}

  /** The line, without its end. The same event is always the same line. */
  public static String of(AuditEvent event) {
    return new JsonObject()
        .put("namespace", event.key().namespace())
        .put("subject", event.key().subject())
        .put("id", event.key().id())
        .put("at", Instant.ofEpochMilli(event.atMs()).toString())
        .put("atMs", event.atMs())
        .put("actor", event.actor())
        .put("action", event.action())
        .put("before", event.before())
        .put("after", event.after())
        .toString();
  }
}
