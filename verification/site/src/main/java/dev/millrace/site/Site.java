package dev.millrace.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * Builds the site: every document of the {@link Contents} becomes a page. A link that leads nowhere
 * ends the build with the file and the line.
 *
 * <p>The documents are the only source. What the site adds is the navigation, a search, and the
 * colours.
 */
public final class Site {
  private static final List<String> ASSETS =
      List.of("style.css", "theme.js", "site.js", "icon.svg");
  private static final String JAVADOC = "apidocs/index.html";
  private static final String FIRST = "README.md";
  private static final String LICENCE = "LICENSE";

  private final Path root;
  private final Path target;
  private final Contents contents;
  private final Map<String, Document> documents;

  private Site(Path root, Path target) throws IOException {
    this.root = root;
    this.target = target;
    this.contents = Contents.of(root);
    this.documents =
        contents.paths().stream()
            .distinct()
            .collect(Collectors.toMap(Function.identity(), this::read));
  }

  /**
   * Builds the site.
   *
   * @param args the repository, and the directory for the pages; the Javadoc, if it is part of the
   *     site, is already there
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "needs the repository and the directory of the pages, got " + List.of(args));
    }
    build(Path.of(args[0]), Path.of(args[1]));
  }

  /** Builds the site of the repository at {@code root} in {@code target}. */
  public static void build(Path root, Path target) throws IOException {
    new Site(root, target).write();
  }

  private void write() throws IOException {
    Pages pages = new Pages(root, documents.values());
    PageTemplate template = new PageTemplate(version(), items());
    SearchIndex index = new SearchIndex();
    for (String path : contents.paths()) {
      Document document = Objects.requireNonNull(documents.get(path));
      String page = Pages.page(path);
      String body = new Body(document, pages, this::diagram).html();
      if (path.equals(FIRST)) {
        body =
            body.replaceFirst("</p>\n", "</p>\n" + Matcher.quoteReplacement(template.cards(page)));
      }
      put(page, template.render(page, document.title(), body, document.headings()));
      index.add(document);
    }
    put(Pages.DECISIONS_PAGE, decisions(template));
    put("search-index.js", index.script());
    for (String asset : ASSETS) {
      try (InputStream own = Objects.requireNonNull(Site.class.getResourceAsStream(asset))) {
        Files.copy(own, target.resolve(asset), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    copy(LICENCE);
    for (String path : pages.copied()) {
      copy(path);
    }
  }

  private List<PageTemplate.Item> items() {
    List<PageTemplate.Item> items = new ArrayList<>();
    for (Contents.Chapter chapter : contents.chapters()) {
      if (chapter.entries().get(0).path().startsWith(Pages.DECISIONS)) {
        if (Files.exists(target.resolve(JAVADOC))) {
          items.add(new PageTemplate.Item("Reference", "Javadoc", JAVADOC));
        }
        items.add(new PageTemplate.Item("Reference", chapter.title(), Pages.DECISIONS_PAGE));
        continue;
      }
      for (Contents.Entry entry : chapter.entries()) {
        String title = Objects.requireNonNull(documents.get(entry.path())).title();
        items.add(
            new PageTemplate.Item(
                chapter.title(),
                entry.label().isEmpty() ? title : entry.label(),
                Pages.page(entry.path())));
      }
    }
    return items;
  }

  private String decisions(PageTemplate template) {
    StringBuilder body =
        new StringBuilder(
            """
            <h1 id="decisions">Decisions</h1>
            <p>What was decided, why, and what was rejected.</p>
            <ul>
            """);
    for (String path : contents.paths()) {
      if (path.startsWith(Pages.DECISIONS)) {
        body.append(
                "<li><a href=\"%s\">"
                    .formatted(Pages.relative(Pages.DECISIONS_PAGE, Pages.page(path))))
            .append(Highlighter.escape(number(path)))
            .append("</a></li>\n");
      }
    }
    return template.render(
        Pages.DECISIONS_PAGE, "Decisions", body.append("</ul>\n").toString(), List.of());
  }

  /** The title of a decision, beginning with its number. */
  private String number(String path) {
    return Objects.requireNonNull(documents.get(path)).title().replaceFirst("^ADR ", "");
  }

  /** A diagram in a page has its colours from the page: its own are for when it stands alone. */
  private String diagram(String path) {
    try {
      return Files.readString(root.resolve(path))
          .replaceFirst("(?s)\\A\\s*<\\?xml.*?\\?>\\s*", "")
          .replaceFirst("(?s)<style>.*?</style>\\s*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Document read(String path) {
    try {
      return Document.read(root, path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String version() throws IOException {
    String pom = Files.readString(root.resolve("pom.xml"));
    return pom.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
  }

  private void put(String file, String text) throws IOException {
    Path path = target.resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.writeString(path, text);
  }

  private void copy(String path) throws IOException {
    Path copy = target.resolve(Pages.copyOf(path));
    Files.createDirectories(Objects.requireNonNull(copy.getParent()));
    Files.copy(root.resolve(path), copy, StandardCopyOption.REPLACE_EXISTING);
  }
}
