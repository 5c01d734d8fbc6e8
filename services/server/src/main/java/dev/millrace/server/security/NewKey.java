package dev.millrace.server.security;

import dev.millrace.server.Sha256;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A new random key, which is shown once.
 *
 * @param text the key itself
 * @param entry its entry in the file of keys, as YAML
 */
public record NewKey(String text, String entry) {
  private static final int BYTES = 32;

  /** A new key of the caller {@code name}. */
  public static NewKey of(
      String name, Set<Scope> scopes, @Nullable String namespace, @Nullable Instant expires) {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String text = KeyRing.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    List<String> names =
        scopes.stream().map(scope -> scope.name().toLowerCase(Locale.ROOT)).sorted().toList();
    String entry =
        "  - name: %s\n    sha256: %s\n    scopes: [%s]\n"
            .formatted(name, Sha256.hex(text), String.join(", ", names));
    entry += namespace == null ? "" : "    namespace: " + namespace + "\n";
    entry += expires == null ? "" : "    expires: " + expires + "\n";
    return new NewKey(text, entry);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "NewKey[hidden]";
  }
}
