package dev.millrace.server.envoy;

import dev.millrace.manifest.ManifestProblem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a mapping file with problems. */
public final class MappingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The problems, each with its line, field, value and rule. */
  MappingException(String file, List<ManifestProblem> problems) {
    super(
        problems.stream()
            .map(problem -> file + ": " + problem)
            .collect(Collectors.joining(System.lineSeparator())));
  }
}
