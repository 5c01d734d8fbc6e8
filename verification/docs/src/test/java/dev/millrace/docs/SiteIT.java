package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The site below a path of a web server: complete, linked, and sufficient to itself; then in a real
 * browser, as {@code src/test/browser/site.mjs} walks through it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // the first run may install the browser
class SiteIT {
  private static final String BASE = "/millrace/";
  private static final String HOST = "http://site.test";
  private static final String BUILD = "tools/site/run";
  private static final String WALK = "services/server/src/test/browser/run";
  private static final Path SITE = Path.of("target/site").toAbsolutePath();
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
  private static final Map<String, String> PAGES = new TreeMap<>();

  @BeforeAll
  static void build() throws Exception {
    run(BUILD, "build", SITE.toString(), BASE);
    PAGES.putAll(files(".html"));
  }

  @Test
  void pages_areAsManyAsDocumentsAndTheListOfDecisionsAndTheOneForNoPage() throws IOException {
    assertThat(PAGES).hasSize(Repository.documents().size() + 2).containsKey("404.html");
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
    if (!parts[0].isEmpty() && !parts[0].startsWith(BASE)) {
      return false;
    }
    String name = parts[0].isEmpty() ? page : parts[0].substring(BASE.length());
    String file = name.isEmpty() || name.endsWith("/") ? name + "index.html" : name;
    return parts.length == 1
        ? Files.isRegularFile(SITE.resolve(file))
        : PAGES.getOrDefault(file, "").contains(" id=\"" + parts[1] + "\"");
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
    PAGES.forEach(
        (page, html) ->
            assertThat(html).as(page).doesNotContainPattern("(?:src|<link[^>]*href)=\"https?:"));
    assertThat(files(".css"))
        .isNotEmpty()
        .allSatisfy(
            (file, css) ->
                assertThat(css)
                    .doesNotContain("@import")
                    .doesNotContainPattern("url\\(\"?https?:"));
  }

  @Test
  void searchIndex_knowsEveryPage() throws IOException {
    Map<String, String> index = files(".js");
    index.keySet().removeIf(file -> !file.contains("localSearchIndex"));

    assertThat(index).hasSize(1);
    assertThat(index.values())
        .allSatisfy(
            text ->
                assertThat(PAGES.keySet())
                    .filteredOn(page -> !page.equals("404.html"))
                    .allSatisfy(
                        page ->
                            assertThat(text)
                                .contains(BASE + page.replaceFirst("(index)?\\.html$", ""))));
  }

  @Test
  void site_walkedThrough_isAsItShouldBe() throws Exception {
    String printed =
        run(
            WALK,
            Path.of("target/browser").toAbsolutePath().toString(),
            Path.of("src/test/browser/site.mjs").toAbsolutePath().toString(),
            HOST + BASE,
            Path.of("target/screenshots").toAbsolutePath().toString(),
            SITE.toString());

    assertThat(printed).contains("step: all, with");
  }

  private static Map<String, String> files(String suffix) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(SITE)) {
      for (Path file : all.filter(path -> path.toString().endsWith(suffix)).toList()) {
        files.put(SITE.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }

  /** Runs a script of the repository, which has to succeed, and returns what it printed. */
  private static String run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, Repository.root().resolve(script).toString());
    Path printed = Files.createTempFile("site", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(() -> ApiText.kept(printed)).isZero();
      return Files.readString(printed);
    } finally {
      process.destroyForcibly();
      Files.delete(printed);
    }
  }
}
