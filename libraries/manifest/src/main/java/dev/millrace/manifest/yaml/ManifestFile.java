package dev.millrace.manifest.yaml;

import dev.millrace.manifest.Header;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.Problem;
import dev.millrace.manifest.Sink;
import dev.millrace.manifest.Source;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A manifest in a file.
 *
 * @param path the path of the file
 */
public record ManifestFile(Path path) implements Source {
  @Override
  public Header read(Sink sink) {
    try (Reader reader = Files.newBufferedReader(path)) {
      return ManifestReader.read(reader, sink);
    } catch (IOException e) {
      throw new ManifestException(
          List.of(new Problem(0, 0, path.toString(), "", "cannot be read: " + e)));
    }
  }
}
