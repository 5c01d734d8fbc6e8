package dev.millrace.site;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * What the search looks through: a piece for each heading, with the text below it. It is a script
 * and not JSON, because browsers read no other file beside a page that was opened from a disk.
 */
final class SearchIndex {
  private final List<String> pieces = new ArrayList<>();

  void add(Document document) {
    String page = Pages.page(document.path());
    Iterator<Document.Section> headings = document.headings().iterator();
    Document.Section section = headings.next();
    StringBuilder text = new StringBuilder();
    for (Node node = document.tree().getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        if (!text.isEmpty() || section.level() > 1) {
          add(page, document.title(), section, text);
        }
        section = node.getPrevious() == null ? section : headings.next();
        text.setLength(0);
      } else {
        text.append(PlainText.of(node)).append(' ');
      }
    }
    add(page, document.title(), section, text);
  }

  private void add(String page, String title, Document.Section section, CharSequence text) {
    String url = section.level() == 1 ? page : page + "#" + section.anchor();
    pieces.add(
        "[%s,%s,%s,%s]"
            .formatted(
                string(url),
                string(title),
                string(section.text()),
                string(text.toString().replaceAll("\\s+", " ").strip())));
  }

  String script() {
    return "window.millraceIndex = [\n" + String.join(",\n", pieces) + "\n];\n";
  }

  private static String string(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '<' -> json.append("\\u003c");
        default -> json.append(c < ' ' ? ' ' : c);
      }
    }
    return json.append('"').toString();
  }
}
