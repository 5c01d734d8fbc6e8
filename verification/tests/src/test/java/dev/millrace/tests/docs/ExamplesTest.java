package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every example has; that it does what it says is tested in its own module. */
class ExamplesTest {
  private static final Path EXAMPLES = Repository.root().resolve("examples");

  private static final Pattern LINK = Pattern.compile("]\\(([^)]+)\\)");

  /** Those that can be run: they have a README. */
  static List<Path> examples() throws IOException {
    try (Stream<Path> directories = Files.list(EXAMPLES)) {
      return directories.filter(path -> Files.exists(path.resolve("README.md"))).sorted().toList();
    }
  }

  @Test
  void examples_areThere() throws IOException {
    assertThat(examples()).hasSizeGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void readme_saysWhatItShowsAndHowToRunIt(Path example) throws IOException {
    List<String> lines = Files.readAllLines(example.resolve("README.md"));

    assertThat(lines.get(0)).startsWith("# ");
    assertThat(lines.get(2)).as("the line that ./examples/run shows").matches("[A-Z].*\\.");
    assertThat(lines).contains("    ./examples/run " + name(example));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void example_isBuiltAndListed(Path example) throws IOException {
    assertThat(Files.readString(EXAMPLES.resolve("pom.xml")))
        .contains("<module>" + name(example) + "</module>");
    assertThat(Repository.read("docs/guide/examples.md"))
        .contains("| [%1$s](../../examples/%1$s/README.md) |".formatted(name(example)));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void sources_useNothingThatIsInternal(Path example) throws IOException {
    String main =
        "src/main/java/dev/millrace/examples/%s/Main.java"
            .formatted(name(example).replace("-", ""));
    assertThat(example.resolve(main)).exists();
    try (Stream<Path> files = Files.walk(example.resolve("src"))) {
      for (Path source : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        assertThat(source).content().doesNotContain(".internal.");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void links_ofTheReadme_leadSomewhere(Path example) throws IOException {
    Path readme = example.resolve("README.md");
    List<String> links =
        LINK.matcher(Files.readString(readme)).results().map(found -> found.group(1)).toList();

    assertThat(links).isNotEmpty();
    for (String link : links) {
      String[] parts = link.split("#", -1);
      Path target = example.resolve(parts[0]);
      assertThat(target).exists();
      if (parts.length > 1) {
        assertThat(anchors(target)).as(link).contains(parts[1]);
      }
    }
  }

  private static List<String> anchors(Path document) throws IOException {
    return Files.readAllLines(document).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replace(' ', '-'))
        .toList();
  }

  private static String name(Path example) {
    return example.getFileName().toString();
  }
}
