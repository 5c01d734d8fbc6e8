package dev.millrace.admin;

import dev.millrace.admin.internal.TimeIds;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A query for audit events, the newest first.
 *
 * @param from the earliest time, null for the beginning
 * @param to the latest time, null for no end
 * @param pageSize most events of the page
 * @param cursor the cursor of the previous page, null for the first
 */
public record AuditQuery(
    @Nullable Instant from, @Nullable Instant to, int pageSize, @Nullable String cursor) {
  /** The newest events. */
  public static AuditQuery newest(int pageSize) {
    return new AuditQuery(null, null, pageSize, null);
  }

  /** The same, none before {@code earliest}. */
  public AuditQuery from(Instant earliest) {
    return new AuditQuery(earliest, to, pageSize, cursor);
  }

  /** The same, none after {@code latest}. */
  public AuditQuery to(Instant latest) {
    return new AuditQuery(from, latest, pageSize, cursor);
  }

  /** The page that begins at {@code next}. */
  public AuditQuery after(@Nullable String next) {
    return new AuditQuery(from, to, pageSize, next);
  }

  /** The range of time as a range of ids. */
  String fromId() {
    return from == null ? "" : TimeIds.first(from.toEpochMilli());
  }

  String toId() {
    return to == null ? "" : TimeIds.last(to.toEpochMilli());
  }
}
