package dev.millrace.cli.command;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.Session;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestHeader;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.SpecSource;
import dev.millrace.manifest.yaml.ManifestFile;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Which manifest; a mixin. */
final class ManifestOption {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description = "The manifest, as YAML.")
  @SuppressWarnings("NullAway.Init") // must be given
  private Path file;

  Path file() {
    return file;
  }

  SpecSource source() {
    return new ManifestFile(file);
  }

  /** What is in it, when all of it is right. */
  ManifestOutline outline() {
    return refusing(file, () -> ManifestOutline.of(source()));
  }

  /** Does something with a file; what is wrong with it is told line by line. */
  static <T> T refusing(Path file, Supplier<T> work) {
    try {
      return work.get();
    } catch (ManifestException e) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "%s is refused, and nothing was changed:%n  %s"
              .formatted(file, String.valueOf(e.getMessage()).replace("\n", "\n  ")));
    }
  }

  /** A manifest that says for which namespace it is made is not used for another. */
  static void requireNamespace(Session session, ManifestHeader header) {
    String wanted = header.namespace();
    String named = session.settings().namespace();
    if (wanted != null && !wanted.equals(named)) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "the manifest is made for namespace '%s', and this is '%s': say --namespace %s"
              .formatted(wanted, named, wanted));
    }
  }
}
