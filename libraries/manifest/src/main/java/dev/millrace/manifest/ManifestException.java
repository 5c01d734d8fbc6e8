package dev.millrace.manifest;

import java.util.List;
import java.util.stream.Collectors;

/** A manifest or a backup that cannot be used. Nothing was changed. */
public final class ManifestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** Refused for these reasons. */
  public ManifestException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** The reasons, in the order in which they stand there. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }
}
