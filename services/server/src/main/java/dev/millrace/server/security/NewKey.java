package dev.millrace.server.security;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key that has just been made. It is shown once; the entry is what the file gets.
 *
 * @param text the key itself
 * @param entry what the file of keys gets, as YAML
 */
public record NewKey(String text, String entry) {
  private static final int BYTES = 32;

  /** A key for {@code name}. */
  public static NewKey of(
      String name, Set<Scope> scopes, @Nullable String namespace, @Nullable Instant expires) {
    byte[] chance = new byte[BYTES];
    new SecureRandom().nextBytes(chance);
    String text = KeyRing.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(chance);
    List<String> names =
        scopes.stream().map(scope -> scope.name().toLowerCase(Locale.ROOT)).sorted().toList();
    StringBuilder entry = new StringBuilder();
    entry.append("  - name: ").append(name).append('\n');
    entry.append("    sha256: ").append(HexFormat.of().formatHex(KeyRing.hash(text))).append('\n');
    entry.append("    scopes: [").append(String.join(", ", names)).append("]\n");
    if (namespace != null) {
      entry.append("    namespace: ").append(namespace).append('\n');
    }
    if (expires != null) {
      entry.append("    expires: ").append(expires).append('\n');
    }
    return new NewKey(text, entry.toString());
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "NewKey[hidden]";
  }
}
