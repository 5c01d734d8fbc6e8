package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.admin.Admin;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.problem.ProblemException;
import dev.millrace.server.security.Caller;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One request for the administration: who asks for what. */
final class Call {
  private static final int DEFAULT_PAGE = 50;

  private final ServiceRequestContext context;
  private final JsonFields body;
  private final ServerParts parts;
  private final QueryParams query;

  Call(ServiceRequestContext context, JsonFields body, ServerParts parts, Set<String> knownQuery) {
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

  ServerParts parts() {
    return parts;
  }

  Caller caller() {
    return Caller.of(context);
  }

  /** A part of the path by its name. */
  String path(String name) {
    return Objects.requireNonNull(context.pathParam(name), name);
  }

  /** The name of the namespace that the path names, which the caller may touch. */
  String namespaceName() {
    return caller().requireNamespace(path("namespace"));
  }

  /** The administration, with changes made by the caller. */
  Admin admin() {
    return parts.admin().as(caller().name());
  }

  /** The namespace of the path. */
  NamespaceAdmin namespace() {
    return admin().in(namespaceName());
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
    if (value == null || value.equals("false")) {
      return false;
    }
    if (!value.equals("true")) {
      throw wrong(name, value, "true or false");
    }
    return true;
  }

  /** A number from 1 to {@code most}. */
  int count(String name, int fallback, int most) {
    String value = query(name);
    if (value == null) {
      return fallback;
    }
    int count;
    try {
      count = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      count = 0;
    }
    if (count < 1 || count > most) {
      throw wrong(name, value, "a number from 1 to " + most);
    }
    return count;
  }

  int pageSize() {
    return count("pageSize", DEFAULT_PAGE, Page.MAX_SIZE);
  }

  /** Where the last page ended; it tells nothing to others than the server. */
  @Nullable String cursor() {
    return query("cursor");
  }

  @Nullable Instant time(String name) {
    String value = query(name);
    if (value == null) {
      return null;
    }
    try {
      return Instant.parse(value);
    } catch (DateTimeParseException e) {
      throw wrong(name, value, "a moment in UTC such as 2030-01-31T12:00:00Z");
    }
  }

  /** The fields that were sent; none when there is no body. */
  JsonFields body() {
    return body;
  }

  /** For routes that need nothing but their path: refuses what was sent. */
  Call withoutBody() {
    body.done();
    return this;
  }

  private static ProblemException wrong(String name, String value, String expected) {
    return BadRequest.field(name, "is '" + BadRequest.shown(value) + "', must be " + expected);
  }

  /** That there is no such thing. */
  static ProblemException missing(String what, String todo) {
    return new ProblemException(
        HttpProblem.of(404, "not-found", "There is no such thing").detail(what + ": " + todo));
  }
}
