package dev.millrace.site;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is around every page: the head, the navigation, the contents of the page, the foot. */
final class PageTemplate {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>%TITLE%</title>
      <link rel="icon" href="%BASE%icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="%BASE%style.css">
      <script src="%BASE%theme.js"></script>
      <script src="%BASE%site.js" defer></script>
      </head>
      <body data-base="%BASE%">
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
      <a class="brand" href="%BASE%index.html"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M3 21c4.3 0 4.3-5 8.7-5s4.3 5 8.6 5 4.4-5 8.7-5"/><path d="M3 27c4.3 0 4.3-5 8.7-5s4.3 5 8.6 5 4.4-5 8.7-5"/><circle cx="16" cy="8" r="3.2"/></svg>Millrace</a>
      <form class="search" role="search">
      <label class="hidden" for="query">Search the documents</label>
      <input id="query" type="search" placeholder="Search  /" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
      <ul id="found" role="listbox" aria-label="Search results" hidden></ul>
      </form>
      <button id="theme" type="button">Dark</button>
      </header>
      <div class="frame">
      <details class="menu"><summary>Contents</summary>
      <nav class="contents" aria-label="Documents">
      %NAVIGATION%</nav></details>
      <main id="main" tabindex="-1">
      %BODY%
      %NEXT%</main>
      %HERE%</div>
      <footer>Millrace %VERSION% · <a href="%BASE%files/LICENSE">Apache License 2.0</a></footer>
      </body>
      </html>
      """;

  private static final int MAX_ON_A_CARD = 4;

  private final String version;
  private final List<Item> items;

  /**
   * A link of the navigation.
   *
   * @param chapter it belongs to
   * @param label its words
   * @param page where it leads, from the root of the site
   */
  record Item(String chapter, String label, String page) {}

  PageTemplate(String version, List<Item> items) {
    this.version = version;
    this.items = List.copyOf(items);
  }

  String render(String page, String title, String body, List<Document.Section> headings) {
    Map<String, String> values =
        Map.of(
            "TITLE",
            Highlighter.escape(title.equals("Millrace") ? title : title + " · Millrace"),
            "BASE",
            Pages.relative(page, ""),
            "NAVIGATION",
            navigation(page),
            "BODY",
            body,
            "NEXT",
            next(page),
            "HERE",
            here(headings),
            "VERSION",
            Highlighter.escape(version));
    StringBuilder html = new StringBuilder();
    for (String piece : PAGE.split("(?=%[A-Z]+%)|(?<=%[A-Z]{1,12}%)", -1)) {
      boolean placeholder = piece.matches("%[A-Z]+%");
      html.append(placeholder ? values.get(piece.substring(1, piece.length() - 1)) : piece);
    }
    return html.toString();
  }

  private String navigation(String page) {
    StringBuilder html = new StringBuilder();
    String chapter = "";
    for (Item item : items) {
      if (!item.chapter().equals(chapter)) {
        html.append(chapter.isEmpty() ? "" : "</ul>\n");
        chapter = item.chapter();
        html.append("<h2>").append(Highlighter.escape(chapter)).append("</h2>\n<ul>\n");
      }
      html.append("<li>").append(link(page, item.page(), item.label())).append("</li>\n");
    }
    return html.append("</ul>\n").toString();
  }

  /** The chapters as cards, for those who do not know yet what they look for. */
  String cards(String page) {
    Map<String, List<Item>> chapters =
        items.stream()
            .collect(Collectors.groupingBy(Item::chapter, LinkedHashMap::new, Collectors.toList()));
    StringBuilder html = new StringBuilder("<nav class=\"cards\" aria-label=\"By task\">\n");
    chapters.forEach(
        (chapter, links) -> {
          html.append("<section><strong>").append(Highlighter.escape(chapter)).append("</strong>");
          links.stream()
              .filter(item -> !item.page().equals(page))
              .limit(MAX_ON_A_CARD)
              .forEach(item -> html.append(link(page, item.page(), item.label())));
          html.append("</section>\n");
        });
    return html.append("</nav>\n").toString();
  }

  private static String link(String page, String target, String label) {
    String current = page.equals(target) ? " aria-current=\"page\"" : "";
    return "<a href=\"%s\"%s>%s</a>"
        .formatted(Pages.relative(page, target), current, Highlighter.escape(label));
  }

  /** The pages before and after this one. */
  private String next(String page) {
    int index = items.stream().map(Item::page).toList().indexOf(page);
    if (index < 0) {
      return "";
    }
    StringBuilder html =
        new StringBuilder("<nav class=\"next\" aria-label=\"Pages beside this one\">");
    if (index > 0) {
      Item before = items.get(index - 1);
      html.append(link(page, before.page(), "← " + before.label()));
    }
    if (index + 1 < items.size()) {
      Item after = items.get(index + 1);
      html.append(link(page, after.page(), after.label() + " →"));
    }
    return html.append("</nav>\n").toString();
  }

  private static String here(List<Document.Section> headings) {
    List<Document.Section> second = headings.stream().filter(h -> h.level() == 2).toList();
    if (second.size() < 2) {
      return "";
    }
    StringBuilder html =
        new StringBuilder(
            "<nav class=\"here\" aria-label=\"On this page\"><h2>On this page</h2>\n<ul>\n");
    for (Document.Section heading : second) {
      html.append("<li><a href=\"#%s\">".formatted(heading.anchor()))
          .append(Highlighter.escape(heading.text()))
          .append("</a></li>\n");
    }
    return html.append("</ul></nav>\n").toString();
  }
}
