package dev.millrace.server.envoy;

import dev.millrace.manifest.ManifestProblem;
import java.util.List;
import java.util.stream.Collectors;

/** A mapping file that cannot be used. */
public final class MappingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Refused for these reasons; each names the line, the field, the value and the rule. */
  public MappingException(String file, List<ManifestProblem> problems) {
    super(
        problems.stream()
            .map(problem -> file + ": " + problem)
            .collect(Collectors.joining(System.lineSeparator())));
  }
}
