package dev.millrace.manifest.internal;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
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
public record ManifestFile(Path path) implements SpecSource {
  @Override
  public ManifestHeader read(SpecSink sink) {
    try (Reader reader = Files.newBufferedReader(path)) {
      return ManifestReader.read(reader, sink);
    } catch (IOException e) {
      throw new ManifestException(
          List.of(new ManifestProblem(0, 0, path.toString(), "", "cannot be read: " + e)));
    }
  }
}
