package dev.millrace.examples.llmgateway;

import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.SpecSource;
import dev.millrace.manifest.plan.ManifestApplier;
import dev.millrace.manifest.yaml.ManifestReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The limits as code. What this does with them, {@code ./millrace limits apply} does too. */
final class Manifest {
  private static final String FILE = "limits.yaml";
  private static final int CONCURRENCY = 4;

  private Manifest() {}

  /** Makes the namespace as the manifest wants it. */
  static void apply(NamespaceAdmin namespace) {
    SpecSource source =
        sink -> {
          try (Reader reader =
              new InputStreamReader(
                  Objects.requireNonNull(Manifest.class.getResourceAsStream(FILE), FILE),
                  StandardCharsets.UTF_8)) {
            return ManifestReader.read(reader, sink);
          } catch (IOException e) {
            throw new UncheckedIOException(FILE, e);
          }
        };
    ManifestOutline outline =
        ManifestOutline.of(source); // refuses a bad manifest before anything is written
    ManifestApplier.Result result =
        ManifestApplier.of(
            namespace,
            source,
            outline,
            outline.header().name(),
            CONCURRENCY,
            ManifestApplier.Listener.NONE);
    if (result.refused() > 0) {
      throw new IllegalStateException("refused: " + result.refusals());
    }
  }
}
