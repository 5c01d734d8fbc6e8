package dev.millrace.cli.services.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A jar of the local repository: its folders say what it is.
 *
 * @param name the artifact's name, with what tells its variants apart
 */
record Artifact(String name, String version, String sha256) {
  /** The jar at {@code path}, {@code …/artifact/version/artifact-version[-variant].jar}. */
  static Artifact at(Path path) throws IOException {
    String version = path.getParent().getFileName().toString();
    String artifact = path.getParent().getParent().getFileName().toString();
    String file = path.getFileName().toString().replaceFirst("\\.jar$", "");
    String variant = file.substring((artifact + "-" + version).length());
    return new Artifact(artifact + variant, version, sha256(Files.readAllBytes(path)));
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Its line in the list. */
  String line() {
    return name + " " + version + " " + sha256;
  }
}
