package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents refer to is there. */
class DocsTest {
  private static final int MAX_ADR_LINES = 100;

  static List<Path> documents() throws IOException {
    return Repository.documents();
  }

  static List<Path> decisions() throws IOException {
    try (Stream<Path> files = Files.list(Repository.root().resolve("docs/adr"))) {
      return files.filter(path -> path.toString().endsWith(".md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void relativeLinks_pointToWhatIsThere(Path document) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : Markdown.links(Files.readString(document))) {
      if (!link.matches("[a-z]+:.*") && !exists(document, link)) {
        broken.add(link);
      }
    }

    assertThat(broken).as("broken links in %s", document).isEmpty();
  }

  private static boolean exists(Path document, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1 || Markdown.anchors(Files.readString(target)).contains(parts[1]);
  }

  @Test
  void decisions_areNumberedWithoutGaps() throws IOException {
    List<Path> decisions = decisions();

    for (int i = 0; i < decisions.size(); i++) {
      assertThat(decisions.get(i).getFileName().toString())
          .matches("%03d-[a-z0-9-]+\\.md".formatted(i + 1));
    }
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void decision_isShort(Path decision) throws IOException {
    assertThat(Files.readAllLines(decision)).hasSizeLessThanOrEqualTo(MAX_ADR_LINES);
  }
}
