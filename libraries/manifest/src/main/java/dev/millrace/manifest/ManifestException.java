package dev.millrace.manifest;

import java.util.List;
import java.util.stream.Collectors;

/** An invalid manifest or backup. Nothing was changed. */
public final class ManifestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ManifestProblem> problems;

  /** Refused for these reasons. */
  public ManifestException(List<ManifestProblem> problems) {
    super(problems.stream().map(ManifestProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** The reasons, in the order of their places in the file. */
  public List<ManifestProblem> problems() {
    return problems == null ? List.of() : problems;
  }
}
