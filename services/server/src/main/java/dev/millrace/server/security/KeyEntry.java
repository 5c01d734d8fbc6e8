package dev.millrace.server.security;

import dev.millrace.core.internal.NameRules;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.problem.BadRequest;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key, or the subject of a certificate, and who comes with it. Several entries may have one name:
 * while keys are changed, the old and the new one are both good.
 *
 * @param proof the SHA-256 of the key in lower-case hexadecimal digits, or the subject as RFC 2253
 *     writes it
 * @param caller who it is
 * @param notBefore from when on, null for always
 * @param expires until when, null for always
 */
record KeyEntry(
    String proof, Caller caller, @Nullable Instant notBefore, @Nullable Instant expires) {
  private static final int MAX_NAME = 100;
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@:-]*");

  static KeyEntry ofKey(JsonFields fields) {
    String hash = fields.text("sha256").toLowerCase(Locale.ROOT);
    if (!SHA256.matcher(hash).matches()) {
      throw BadRequest.field("sha256", "must be the 64 hexadecimal digits of a SHA-256");
    }
    return rest(hash, fields);
  }

  static KeyEntry ofCertificate(JsonFields fields) {
    return rest(fields.text("subject"), fields);
  }

  private static KeyEntry rest(String proof, JsonFields fields) {
    String name = fields.text("name");
    if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
      throw BadRequest.field(
          "name",
          "is '%s', must be at most %d letters, digits and _.@:-"
              .formatted(BadRequest.shown(name), MAX_NAME));
    }
    String namespace = fields.textOrNull("namespace");
    KeyEntry entry =
        new KeyEntry(
            proof,
            new Caller(
                name,
                scopes(fields),
                namespace == null ? null : NameRules.requireNamespace(namespace)),
            fields.instantOrNull("notBefore"),
            fields.instantOrNull("expires"));
    fields.done();
    return entry;
  }

  private static Set<Scope> scopes(JsonFields fields) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String text : fields.texts("scopes", Scope.values().length)) {
      scopes.add(scope(text));
    }
    if (scopes.isEmpty()) {
      throw BadRequest.field("scopes", "is missing: name at least one of acquire, read, admin");
    }
    return scopes;
  }

  private static Scope scope(String text) {
    for (Scope scope : Scope.values()) {
      if (scope.name().equalsIgnoreCase(text)) {
        return scope;
      }
    }
    throw BadRequest.field(
        "scopes", "has '" + BadRequest.shown(text) + "', must be of acquire, read, admin");
  }

  boolean holdsAt(Instant now) {
    return (notBefore == null || !now.isBefore(notBefore))
        && (expires == null || now.isBefore(expires));
  }

  /** Without the proof: it is no secret, but nobody needs it either. */
  @Override
  public String toString() {
    return "KeyEntry[" + caller + "]";
  }
}
