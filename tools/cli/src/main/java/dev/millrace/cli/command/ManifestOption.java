package dev.millrace.cli.command;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.table.Session;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.internal.ManifestFile;
import dev.millrace.manifest.internal.ManifestHeader;
import dev.millrace.manifest.internal.ManifestOutline;
import dev.millrace.manifest.internal.SpecSource;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option that names a manifest; a mixin. */
final class ManifestOption {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description = "The manifest, as YAML.")
  private Path file;

  Path file() {
    return file;
  }

  SpecSource source() {
    return new ManifestFile(file);
  }

  /** The outline of a manifest without mistakes. */
  ManifestOutline outline() {
    return refusing(file, () -> ManifestOutline.of(source()));
  }

  /** Works on a file; its mistakes become wrong usage, line by line. */
  static <T> T refusing(Path file, Supplier<T> work) {
    try {
      return work.get();
    } catch (ManifestException e) {
      throw CommandFailure.usage(
          "%s is refused, and nothing was changed:%n  %s"
              .formatted(file, String.valueOf(e.getMessage()).replace("\n", "\n  ")));
    }
  }

  /** Refuses a manifest that names another namespace. */
  static void requireNamespace(Session session, ManifestHeader header) {
    String wanted = header.namespace();
    String named = session.settings().namespace();
    if (wanted != null && !wanted.equals(named)) {
      throw CommandFailure.usage(
          "the manifest is made for namespace '%s', and this is '%s': say --namespace %s"
              .formatted(wanted, named, wanted));
    }
  }
}
