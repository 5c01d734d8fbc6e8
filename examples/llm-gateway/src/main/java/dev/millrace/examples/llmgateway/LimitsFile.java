package dev.millrace.examples.llmgateway;

import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.NamespaceManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The limits as code. What this does with them, {@code ./millrace limits apply} does too. */
final class LimitsFile {
  private static final String FILE = "limits.yaml";
  private static final int CONCURRENCY = 4;

  private LimitsFile() {}

  /** Makes the namespace as the manifest states. */
  static void apply(NamespaceAdmin namespace) {
    // A bad manifest is refused before anything is written.
    NamespaceManifest.Result result = NamespaceManifest.parse(text()).apply(namespace, CONCURRENCY);
    if (result.refused() > 0) {
      throw new IllegalStateException("refused: " + result.refusals());
    }
  }

  private static String text() {
    try (InputStream in =
        Objects.requireNonNull(LimitsFile.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(FILE, e);
    }
  }
}
