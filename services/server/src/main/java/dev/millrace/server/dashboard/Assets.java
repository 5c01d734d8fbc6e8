package dev.millrace.server.dashboard;

import com.linecorp.armeria.common.HttpData;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The files of the page. All but the page itself are under a name with a hash of what is in all of
 * them, so that browsers may keep them for ever and never mix two versions.
 *
 * @param hash of all files
 * @param page the page, which names the others
 * @param files by name
 */
record Assets(String hash, HttpData page, Map<String, HttpData> files) {
  private static final String PAGE = "index.html";
  private static final String HASH_IN_PAGE = "HASH";
  private static final int HASH_LENGTH = 16;

  /** Every file; a directory of a jar cannot be listed. */
  static final List<String> NAMES =
      List.of(
          "api.js",
          "app.js",
          "balance.js",
          "bucket.js",
          "dom.js",
          "format.js",
          "icon.svg",
          "limits.js",
          "live.js",
          "plot.js",
          "regions.js",
          "repeat.js",
          "style.css",
          "tenant.js",
          "tenants.js",
          "try.js");

  static Assets load() {
    Map<String, HttpData> files = new LinkedHashMap<>();
    MessageDigest digest = sha256();
    for (String name : NAMES) {
      byte[] content = read(name);
      digest.update(content);
      files.put(name, HttpData.wrap(content));
    }
    String page = new String(read(PAGE), StandardCharsets.UTF_8);
    String hash = HexFormat.of().formatHex(digest.digest()).substring(0, HASH_LENGTH);
    return new Assets(hash, HttpData.ofUtf8(page.replace(HASH_IN_PAGE, hash)), files);
  }

  private static byte[] read(String name) {
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
