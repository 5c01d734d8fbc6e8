package dev.millrace.server.security;

import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.YamlReading;
import dev.millrace.server.problem.BadRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All keys and certificates that are known. Keys are looked up by their hash, of which the file has
 * no more either: how long a look-up takes tells something of the hash of what was sent, and
 * nothing of a key, which is 256 bits of chance.
 */
final class KeyRing {
  /** How every key begins, so that one that got lost can be recognised. */
  static final String PREFIX = "mlr_";

  /** Most entries of each kind. */
  static final int MAX_ENTRIES = 10_000;

  private final Map<String, KeyEntry> keys = new HashMap<>();
  private final Map<String, KeyEntry> certificates = new HashMap<>();

  private KeyRing() {}

  /** Those of {@code file}, which lists {@code keys} and {@code certificates}. */
  static KeyRing read(Path file) {
    return YamlReading.read(file, KeyRing::of);
  }

  /** A file that says nothing is one that is being written: it must not send everybody away. */
  private static KeyRing of(JsonFields file) {
    if (!file.has("keys") && !file.has("certificates")) {
      throw BadRequest.field("keys", "is missing: write 'keys: []' to let nobody in");
    }
    KeyRing ring = new KeyRing();
    for (JsonFields fields : file.objects("keys", MAX_ENTRIES)) {
      put("sha256", ring.keys, KeyEntry.ofKey(fields));
    }
    for (JsonFields fields : file.objects("certificates", MAX_ENTRIES)) {
      put("subject", ring.certificates, KeyEntry.ofCertificate(fields));
    }
    return ring;
  }

  private static void put(String field, Map<String, KeyEntry> entries, KeyEntry entry) {
    if (entries.put(entry.proof(), entry) != null) {
      throw BadRequest.field(field, "of '" + entry.caller().name() + "' is there twice");
    }
  }

  int size() {
    return keys.size() + certificates.size();
  }

  boolean hasCertificates() {
    return !certificates.isEmpty();
  }

  @Nullable KeyEntry ofKey(String key) {
    byte[] hash = hash(key);
    KeyEntry entry = keys.get(HexFormat.of().formatHex(hash));
    boolean same =
        entry != null && MessageDigest.isEqual(HexFormat.of().parseHex(entry.proof()), hash);
    return same ? entry : null;
  }

  @Nullable KeyEntry ofSubject(String subject) {
    return certificates.get(subject);
  }

  /** What the file has of a key. */
  static byte[] hash(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
