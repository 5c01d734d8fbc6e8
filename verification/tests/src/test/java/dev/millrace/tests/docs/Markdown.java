package dev.millrace.tests.docs;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Tables and blocks of the documents. */
final class Markdown {
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private Markdown() {}

  /** The code of every block that is fenced as {@code language}. */
  static List<String> blocks(String text, String language) {
    return FENCED
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** The rows of the table that has this header, without it. */
  static List<List<String>> table(String text, String header) {
    List<String> lines = text.lines().toList();
    int start = lines.indexOf(header);
    if (start < 0) {
      throw new IllegalArgumentException("no table with the header " + header);
    }
    return lines.stream()
        .skip(start + 2L) // the header and its rule
        .takeWhile(line -> line.startsWith("|"))
        .map(Markdown::cells)
        .toList();
  }

  private static List<String> cells(String row) {
    String inner = row.substring(1, row.lastIndexOf('|'));
    return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
  }
}
