package dev.millrace.cli.services.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every jar that a server or its commands run with is in a checked-in list with its digest. {@code
 * SECURITY.md} says how the list is kept.
 */
class DependencyAuditTest {
  /** Written by the two builds; the server's own, as an image has it, may have other versions. */
  private static final List<Path> CLASS_PATHS =
      List.of(
          Path.of("../../services/server/target/server.classpath"),
          Path.of("target/commands.classpath"));

  private static Set<String> found() throws IOException {
    Set<String> lines = new TreeSet<>();
    for (Path file : CLASS_PATHS) {
      for (String entry : Files.readString(file).strip().split(File.pathSeparator, -1)) {
        if (!isOurs(Path.of(entry))) {
          lines.add(Artifact.at(Path.of(entry)).line());
        }
      }
    }
    return lines;
  }

  /** Modules of this build are directories of classes, or jars that it has just packaged. */
  private static boolean isOurs(Path entry) {
    return Files.isDirectory(entry) || entry.getFileName().toString().startsWith("millrace-");
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
  void jars_ofAServerAndItsCommands_areThoseThatWereLookedAt() throws IOException {
    assertThat(found()).containsExactlyElementsOf(lines("dependencies.txt"));
  }
}
