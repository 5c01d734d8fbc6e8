package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents as files: they are all found, and what they refer to is there. */
class DocumentsTest {
  private static final int MAX_ADR_LINES = 100;
  private static final int MAX_README_LINES = 100;
  private static final String DECISIONS = "docs/design/adr/";
  private static final String LIST_OF_DECISIONS = "tools/site/decisions.md";
  private static final String INDENT = "  ";

  /** The navigation of the site; the decisions are one line of it. */
  @Test
  void contents_haveEveryDocumentOnce() throws IOException {
    List<String> expected = new ArrayList<>(Repository.documents());
    expected.removeIf(path -> path.startsWith(DECISIONS));
    expected.add(DECISIONS + "*.md");
    expected.add(LIST_OF_DECISIONS);

    assertThat(Repository.read("tools/site/contents.txt").lines())
        .filteredOn(line -> line.startsWith(INDENT))
        .map(line -> line.strip().split(" ", 2)[0])
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Comments are for the tests; GitHub and the site would show other HTML differently. */
  @Test
  void documents_haveNoHtml() throws IOException {
    for (String path : Repository.documents()) {
      assertThat(Document.read(Repository.root(), path).html())
          .as(path)
          .allSatisfy(html -> assertThat(html.stripLeading()).startsWith("<!--"));
    }
  }

  /** Links between documents are followed on the site (SiteIT); here are the others. */
  @Test
  void links_toOtherHosts_areWellFormedAndEncrypted() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String path : Repository.documents()) {
      for (Document.Reference link : Document.read(Repository.root(), path).links()) {
        if (link.target().matches("[a-z][a-z0-9+.-]*:.*") && !isEncrypted(link.target())) {
          wrong.add(path + ":" + link.line() + ": " + link.target());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean isEncrypted(String target) {
    try {
      URI uri = URI.create(target);
      return "https".equals(uri.getScheme()) && uri.getHost() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The last column of the glossary's tables names classes of main code. */
  @Test
  void glossary_namesClassesThatExist() throws IOException {
    List<String> named =
        Pattern.compile("^\\| .* \\| `(\\w+)(?:\\.\\w+)?` \\|$", Pattern.MULTILINE)
            .matcher(Repository.read("docs/design/glossary.md"))
            .results()
            .map(row -> row.group(1))
            .toList();

    assertThat(named).hasSizeGreaterThan(25);
    assertThat(mainClasses()).containsAll(named);
  }

  private static Set<String> mainClasses() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path module : Repository.modules().values()) {
      Path main = module.resolve("src/main/java");
      if (Files.isDirectory(main)) {
        try (Stream<Path> files = Files.walk(main)) {
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .forEach(name -> names.add(name.replace(".java", "")));
        }
      }
    }
    return names;
  }

  /** What is longer belongs to a page of its own. */
  @Test
  void readme_isShort() throws IOException {
    assertThat(Files.readAllLines(Repository.root().resolve("README.md")))
        .hasSizeLessThanOrEqualTo(MAX_README_LINES);
  }

  @Test
  void decisions_areNumberedWithoutGapsAndShort() throws IOException {
    List<String> decisions =
        Repository.documents().stream().filter(path -> path.startsWith(DECISIONS)).toList();

    for (int i = 0; i < decisions.size(); i++) {
      assertThat(decisions.get(i)).matches(DECISIONS + "%03d-[a-z0-9-]+\\.md".formatted(i + 1));
      assertThat(Files.readAllLines(Repository.root().resolve(decisions.get(i))))
          .as(decisions.get(i))
          .hasSizeLessThanOrEqualTo(MAX_ADR_LINES);
    }
  }

  @Test
  void javaApi_showsWhereTheTableComesFrom() throws IOException {
    assertThat(Repository.read("docs/guide/java-api.md"))
        .contains("`TableAdmin.of(dynamo, \"limits\").createIfMissing()`");
  }
}
