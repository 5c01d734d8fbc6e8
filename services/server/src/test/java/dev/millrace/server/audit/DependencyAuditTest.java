package dev.millrace.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What a server runs with is what was looked at: every jar is in a checked-in list with its digest.
 * {@code SECURITY.md} says how the list is kept.
 */
class DependencyAuditTest {
  private static List<Artifact> found() throws IOException {
    String classpath = Files.readString(Path.of("target", "audited.classpath")).strip();
    List<Artifact> found = new ArrayList<>();
    for (String jar : classpath.split(File.pathSeparator, -1)) {
      found.add(Artifact.at(Path.of(jar)));
    }
    return found;
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream stream = DependencyAuditTest.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void jars_ofARunningServer_areThoseThatWereLookedAt() throws IOException {
    assertThat(found().stream().map(Artifact::line).sorted())
        .containsExactlyElementsOf(lines("dependencies.txt"));
  }
}
