package dev.millrace.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which document becomes which page, and where a link of a document leads on the site. Links to
 * documents become links to pages. Links to other files of the repository lead to copies of them:
 * the site has no other host to send people to.
 */
final class Pages {
  static final String DECISIONS = "docs/design/adr";
  static final String DECISIONS_PAGE = "design/adr/index.html";
  private static final String FILES = "files/";

  private final Path root;
  private final Map<String, Document> documents = new LinkedHashMap<>();
  private final TreeSet<String> copied = new TreeSet<>();

  Pages(Path root, Collection<Document> all) {
    this.root = root;
    all.forEach(document -> documents.put(document.path(), document));
  }

  /** The file of a document's page, from the root of the site. */
  static String page(String path) {
    return switch (path) {
      case "README.md" -> "index.html";
      case "docs/README.md" -> "documents.html";
      case "CHANGELOG.md" -> "changes.html";
      case "CONTRIBUTING.md" -> "contributing.html";
      case "SECURITY.md" -> "security.html";
      default -> path.replaceFirst("^docs/", "").replaceFirst("\\.md$", ".html");
    };
  }

  /** Files that links lead to, which have to be copied. */
  Collection<String> copied() {
    return copied;
  }

  static String copyOf(String path) {
    return FILES + path;
  }

  /** What a page has to call {@code target}, both from the root of the site. */
  static String relative(String page, String target) {
    return "../".repeat((int) page.chars().filter(c -> c == '/').count()) + target;
  }

  /** Where {@code target}, written in {@code document}, leads on the site. */
  String resolve(Document document, int line, String target) {
    if (target.matches("[a-z][a-z0-9+.-]*:.*")) {
      return target;
    }
    String[] parts = target.split("#", 2);
    String anchor = parts.length > 1 ? parts[1] : null;
    String path =
        parts[0].isEmpty()
            ? document.path()
            : Path.of(document.path()).resolveSibling(parts[0]).normalize().toString();
    String from = page(document.path());
    Document other = documents.get(path);
    if (other != null) {
      if (anchor != null && !other.hasAnchor(anchor)) {
        throw new SiteException(
            document.path(), line, "'" + target + "': " + path + " has no heading #" + anchor);
      }
      String page = path.equals(document.path()) ? "" : relative(from, page(path));
      return page + (anchor == null ? "" : "#" + anchor);
    }
    return relative(from, file(document, line, target, path, anchor));
  }

  private String file(
      Document document, int line, String target, String path, @Nullable String anchor) {
    if (path.equals(DECISIONS)) {
      return DECISIONS_PAGE;
    }
    if (anchor != null || path.endsWith(".md") || !Files.isRegularFile(root.resolve(path))) {
      throw new SiteException(document.path(), line, "'" + target + "' leads nowhere");
    }
    copied.add(path);
    return copyOf(path);
  }
}
