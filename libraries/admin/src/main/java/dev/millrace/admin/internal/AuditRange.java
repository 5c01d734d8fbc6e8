package dev.millrace.admin.internal;

import dev.millrace.admin.AuditQuery;
import dev.millrace.core.spi.directory.Listing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A range of time as a range of ids. */
public record AuditRange(String fromId, String toId) {
  /** Of a query. */
  public static AuditRange of(AuditQuery query) {
    return new AuditRange(from(query.from()), to(query.to()));
  }

  /** Events of one subject. */
  public Listing ofSubject(String namespace, String subject) {
    return new Listing.AuditOfSubject(namespace, subject, fromId, toId);
  }

  /** Events of all subjects. */
  public Listing ofNamespace(String namespace) {
    return new Listing.AuditOfNamespace(namespace, fromId, toId);
  }

  private static String from(@Nullable Instant time) {
    return time == null ? "" : TimeIds.first(time.toEpochMilli());
  }

  private static String to(@Nullable Instant time) {
    return time == null ? "" : TimeIds.last(time.toEpochMilli());
  }
}
