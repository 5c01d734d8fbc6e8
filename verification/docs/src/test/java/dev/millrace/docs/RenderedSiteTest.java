package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages as they are built: whole, linked, and sufficient to themselves. */
class RenderedSiteTest {
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  static Path site;

  private static final Map<String, String> PAGES = new HashMap<>();

  @BeforeAll
  static void build() throws IOException {
    Site.build(Repository.root(), site);
    try (Stream<Path> files = Files.walk(site)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".html")).toList()) {
        PAGES.put(site.relativize(file).toString(), Files.readString(file));
      }
    }
  }

  @Test
  void pages_areAsManyAsDocumentsAndTheListOfDecisions() throws IOException {
    assertThat(PAGES).hasSize(Repository.documents().size() + 1);
  }

  @Test
  void links_ofEveryPage_arrive() {
    List<String> broken = new ArrayList<>();
    PAGES.forEach(
        (page, html) ->
            LINK.matcher(html)
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.startsWith("https://"))
                .filter(target -> !arrives(page, target))
                .forEach(target -> broken.add(page + ": " + target)));
    assertThat(broken).isEmpty();
  }

  private static boolean arrives(String page, String target) {
    String[] parts = target.split("#", 2);
    Path file =
        parts[0].isEmpty()
            ? site.resolve(page)
            : site.resolve(page).resolveSibling(parts[0]).normalize();
    if (!Files.isRegularFile(file)) {
      return false;
    }
    String html = PAGES.get(site.relativize(file).toString());
    return parts.length == 1 || (html != null && html.contains(" id=\"" + parts[1] + "\""));
  }

  @Test
  void ids_areUnique() {
    PAGES.forEach(
        (page, html) -> {
          Set<String> seen = new HashSet<>();
          List<String> twice =
              ID.matcher(html)
                  .results()
                  .map(id -> id.group(1))
                  .filter(id -> !seen.add(id))
                  .toList();
          assertThat(twice).as(page).isEmpty();
        });
  }

  @Test
  void pages_loadNothingFromElsewhere() throws IOException {
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      assertThat(page.getValue())
          .as(page.getKey())
          .doesNotContainPattern("(?:src|<link[^>]*href)=\"https?:");
    }
    assertThat(Files.readString(site.resolve("style.css"))).doesNotContain("url(", "@import");
    assertThat(Files.readString(site.resolve("site.js"))).doesNotContain("http");
  }

  @Test
  void searchIndex_knowsEveryPage() throws IOException {
    String index = Files.readString(site.resolve("search-index.js"));

    assertThat(index).startsWith("window.millraceIndex = [\n[\"index.html\",\"Millrace\",");
    for (String page : PAGES.keySet()) {
      if (!page.equals("design/adr/index.html")) {
        assertThat(index).contains("[\"" + page);
      }
    }
  }
}
