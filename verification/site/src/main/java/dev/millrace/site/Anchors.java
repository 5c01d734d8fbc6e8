package dev.millrace.site;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The anchors of a page's headings, as GitHub makes them: links work there and here. */
final class Anchors {
  private final Map<String, Integer> seen = new HashMap<>();

  /** The anchor of the next heading; the second of the same text ends in {@code -1}. */
  String next(String heading) {
    String anchor =
        heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    int before = seen.merge(anchor, 1, Integer::sum) - 1;
    return before == 0 ? anchor : anchor + "-" + before;
  }
}
