package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.admin.Admin;
import dev.millrace.admin.BucketAdmin;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.JobAdmin;
import dev.millrace.admin.LimitAdmin;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Namespaces;
import dev.millrace.admin.Page;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.ProblemException;
import dev.millrace.server.security.Caller;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One request for the administration: its caller, path, query and body. */
final class AdminCall {
  private static final int DEFAULT_PAGE = 50;

  private final ServiceRequestContext context;
  private final JsonFields body;
  private final ServerParts parts;
  private final QueryParams query;

  AdminCall(
      ServiceRequestContext context, JsonFields body, ServerParts parts, Set<String> knownQuery) {
    this.context = context;
    this.body = body;
    this.parts = parts;
    this.query = context.queryParams();
    for (String name : query.names()) {
      if (!knownQuery.contains(name)) {
        throw BadRequest.field(name, "is not known here; known are " + new TreeSet<>(knownQuery));
      }
    }
  }

  Caller caller() {
    return Caller.of(context);
  }

  String entity() {
    return path("entity");
  }

  String resource() {
    return path("resource");
  }

  /** A variable of the path. */
  String path(String name) {
    return Objects.requireNonNull(context.pathParam(name), name);
  }

  /** The namespace in the path, which the caller may use. */
  String namespaceName() {
    return Caller.namespace(context);
  }

  /** The administration, with the caller as the author of changes. */
  Admin admin() {
    return parts.admin().as(caller().name());
  }

  /** The administration of the namespace in the path. */
  NamespaceAdmin namespace() {
    return admin().in(namespaceName());
  }

  Namespaces namespaces() {
    return admin().namespaces();
  }

  EntityAdmin entities() {
    return namespace().entities();
  }

  LimitAdmin limits() {
    return namespace().limits();
  }

  BucketAdmin buckets() {
    return namespace().buckets();
  }

  JobAdmin jobs() {
    return namespace().jobs();
  }

  UsageAdmin usage() {
    return namespace().usage(parts.usage());
  }

  Instant now() {
    return parts.clock().instant();
  }

  @Nullable String query(String name) {
    List<String> values = query.getAll(name);
    if (values.size() > 1) {
      throw BadRequest.field(name, "is given " + values.size() + " times");
    }
    return values.isEmpty() || values.get(0).isEmpty() ? null : values.get(0);
  }

  String requiredQuery(String name) {
    String value = query(name);
    if (value == null) {
      throw BadRequest.field(name, "is missing");
    }
    return value;
  }

  boolean flag(String name) {
    String value = query(name);
    if (value != null && !value.equals("true") && !value.equals("false")) {
      throw wrong(name, value, "true or false");
    }
    return "true".equals(value);
  }

  /** A number from 1 to {@code most}. */
  int count(String name, int fallback, int most) {
    String value = query(name);
    try {
      int count = value == null ? fallback : Integer.parseInt(value);
      if (count >= 1 && count <= most) {
        return count;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw wrong(name, value, "a number from 1 to " + most);
  }

  int pageSize() {
    return count("pageSize", DEFAULT_PAGE, Page.MAX_SIZE);
  }

  /** The opaque end of the page before. */
  @Nullable String cursor() {
    return query("cursor");
  }

  Instant time(String name, Instant otherwise) {
    Instant time = timeOrNull(name);
    return time == null ? otherwise : time;
  }

  @Nullable Instant timeOrNull(String name) {
    String value = query(name);
    try {
      return value == null ? null : Instant.parse(value);
    } catch (DateTimeParseException e) {
      throw wrong(name, value, "a moment in UTC such as 2030-01-31T12:00:00Z");
    }
  }

  /** The fields of the body; none when there is no body. */
  JsonFields body() {
    return body;
  }

  /** Refuses a request that has fields in its body. */
  AdminCall withoutBody() {
    body.done();
    return this;
  }

  private static ProblemException wrong(String name, @Nullable Object value, String expected) {
    String shown = BadRequest.shown(String.valueOf(value));
    return BadRequest.field(name, "is '" + shown + "', must be " + expected);
  }

  /** The value, or a 404 problem with a remedy. */
  static <T> T found(Optional<T> value, String what, String remedy) {
    return value.orElseThrow(
        () ->
            ProblemException.of(404, "not-found", "There is no such thing")
                .detail(what + ": " + remedy));
  }
}
