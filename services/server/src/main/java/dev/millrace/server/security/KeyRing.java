package dev.millrace.server.security;

import dev.millrace.NameRules;
import dev.millrace.server.Sha256;
import dev.millrace.server.WatchedFile;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys and certificates of a file. Keys are looked up by their hash, the only form in the file:
 * the duration of a look-up reveals something of the hash of the key that was sent, and nothing of
 * a key, which has 256 random bits.
 */
public final class KeyRing {
  /** The prefix of every key, so that a leaked one can be recognized. */
  static final String PREFIX = "mlr_";

  private static final int MAX_ENTRIES = 10_000;

  private static final int MAX_NAME = 100;
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@:-]*");

  private final Map<String, Entry> keys = new HashMap<>();
  private final Map<String, Entry> certificates = new HashMap<>();

  private KeyRing() {}

  /**
   * The caller of a key or certificate, and its time of validity. Several entries may have one
   * name: while keys are changed, the old and the new one are both valid.
   */
  record Entry(Caller caller, @Nullable Instant notBefore, @Nullable Instant expires) {
    boolean isValidAt(Instant now) {
      return (notBefore == null || !now.isBefore(notBefore))
          && (expires == null || now.isBefore(expires));
    }
  }

  /**
   * The keys of {@code file}, read again within {@code pause} after each change.
   *
   * @throws IllegalArgumentException if it cannot be read or is wrong
   */
  public static WatchedFile<KeyRing> watch(Path file, Duration pause) {
    return new WatchedFile<>(
        file, text -> YamlFile.read(file, text, KeyRing::of), (ring, good) -> {}, pause);
  }

  /** An empty file is probably about to be written: it must not lock every caller out. */
  private static KeyRing of(JsonFields file) {
    if (!file.has("keys") && !file.has("certificates")) {
      throw BadRequest.field("keys", "is missing: write 'keys: []' to let nobody in");
    }
    KeyRing ring = new KeyRing();
    for (JsonFields fields : file.objects("keys", MAX_ENTRIES)) {
      String hash = fields.text("sha256").toLowerCase(Locale.ROOT);
      if (!SHA256.matcher(hash).matches()) {
        throw BadRequest.field("sha256", "must be the 64 hexadecimal digits of a SHA-256");
      }
      put("sha256", ring.keys, hash, entry(fields));
    }
    for (JsonFields fields : file.objects("certificates", MAX_ENTRIES)) {
      put("subject", ring.certificates, fields.text("subject"), entry(fields));
    }
    return ring;
  }

  private static void put(String field, Map<String, Entry> entries, String proof, Entry entry) {
    if (entries.put(proof, entry) != null) {
      throw BadRequest.field(field, "of '" + entry.caller().name() + "' is there twice");
    }
  }

  private static Entry entry(JsonFields fields) {
    String name = fields.text("name");
    if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
      throw BadRequest.field(
          "name",
          "is '%s', must be at most %d letters, digits and _.@:-"
              .formatted(BadRequest.shown(name), MAX_NAME));
    }
    String namespace = fields.textOrNull("namespace");
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String text : fields.texts("scopes", Scope.values().length)) {
      try {
        scopes.add(Scope.valueOf(text.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw BadRequest.field(
            "scopes", "has '" + BadRequest.shown(text) + "', must be of acquire, read, admin");
      }
    }
    if (scopes.isEmpty()) {
      throw BadRequest.field("scopes", "is missing: name at least one of acquire, read, admin");
    }
    Entry entry =
        new Entry(
            new Caller(
                name, scopes, namespace == null ? null : NameRules.requireNamespace(namespace)),
            fields.instantOrNull("notBefore"),
            fields.instantOrNull("expires"));
    fields.done();
    return entry;
  }

  boolean hasCertificates() {
    return !certificates.isEmpty();
  }

  @Nullable Entry ofKey(String key) {
    return keys.get(Sha256.hex(key));
  }

  /** The entry of a certificate with this subject, as RFC 2253 writes it. */
  @Nullable Entry ofSubject(String subject) {
    return certificates.get(subject);
  }
}
