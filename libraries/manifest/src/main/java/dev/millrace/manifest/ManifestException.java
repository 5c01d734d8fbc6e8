package dev.millrace.manifest;

import java.util.List;
import java.util.stream.Collectors;

/** An invalid manifest or backup. Nothing was changed. */
public final class ManifestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** Refused for these reasons. */
  public ManifestException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** The reasons, in the order of their places in the file. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }
}
