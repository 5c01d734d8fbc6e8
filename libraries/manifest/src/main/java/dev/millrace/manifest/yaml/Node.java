package dev.millrace.manifest.yaml;

import java.util.List;

/** A piece of YAML, with where it stands: lines and columns from 1. */
public sealed interface Node {
  /** In which line. */
  int line();

  /** Where in the line. */
  int column();

  /**
   * A text.
   *
   * @param plain whether it stands without quotes, so that it may be a number or true
   */
  record Scalar(String text, boolean plain, int line, int column) implements Node {}

  /** A list. */
  record Sequence(List<Node> items, int line, int column) implements Node {}

  /** Names with values, in the order in which they stand there, repeated ones too. */
  record Mapping(List<Field> fields, int line, int column) implements Node {}

  /** A name with its value. */
  record Field(Scalar name, Node value) {}
}
