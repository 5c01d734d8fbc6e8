package dev.millrace.tests.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much Markdown as the documents use. */
final class Markdown {
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?) *$", Pattern.MULTILINE);

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

  /** Where the links point to. */
  static List<String> links(String text) {
    String prose = INLINE_CODE.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("");
    return LINK.matcher(prose).results().map(link -> link.group(1)).toList();
  }

  /** The anchors of the headings, as GitHub makes them. */
  static List<String> anchors(String text) {
    List<String> anchors = new ArrayList<>();
    Matcher heading = HEADING.matcher(FENCED.matcher(text).replaceAll(""));
    while (heading.find()) {
      anchors.add(
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    return anchors;
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
