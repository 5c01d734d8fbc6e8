package dev.millrace.manifest.internal;

import java.util.List;

/** A YAML value with its position: lines and columns from 1. */
public sealed interface YamlNode {
  int line();

  int column();

  /**
   * A text.
   *
   * @param plain whether it is unquoted, so that it may be a number or true
   */
  record Scalar(String text, boolean plain, int line, int column) implements YamlNode {}

  /** A list. */
  record Sequence(List<YamlNode> items, int line, int column) implements YamlNode {}

  /** Names with values, in the order of the file, repeated ones too. */
  record Mapping(List<Field> fields, int line, int column) implements YamlNode {}

  /** A name with its value. */
  record Field(Scalar name, YamlNode value) {}
}
