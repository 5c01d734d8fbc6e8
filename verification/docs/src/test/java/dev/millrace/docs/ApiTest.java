package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public API of each module that applications use is written down in {@code verification/api}.
 * A change of it is a change of that file, which somebody reads; {@code -Dapi.write} writes the
 * files anew.
 */
class ApiTest {
  private static final Pattern MANAGED = Pattern.compile("<artifactId>(millrace-[a-z0-9-]+)<");
  private static final Path KEPT = Repository.root().resolve("verification/api");

  /** Those of the BOM: what is not in it is a program, a test or a tool. */
  static List<String> modules() throws IOException {
    return MANAGED
        .matcher(Repository.read("libraries/bom/pom.xml"))
        .results()
        .map(module -> module.group(1))
        .filter(module -> !module.equals("millrace-bom"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void api_ofEveryLibrary_isAsWrittenDown(String module) throws IOException {
    String api = ApiText.of(module);
    Path file = KEPT.resolve(module + ".txt");
    if (System.getProperty("api.write") != null) {
      Files.createDirectories(KEPT);
      Files.writeString(file, api);
    }

    assertThat(api.lines().toList())
        .as(
            "the API of %s; 'tools/release/api' writes it down anew, if the change is meant",
            module)
        .isEqualTo(ApiText.kept(file).lines().toList());
  }

  @Test
  void files_areThoseOfTheLibraries() throws IOException {
    try (Stream<Path> files = Files.list(KEPT)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              modules().stream().map(module -> module + ".txt").toList());
    }
  }

  @Test
  void text_saysWhatOthersCanSee() throws IOException {
    String client = ApiText.of("millrace-core");

    assertThat(client)
        .contains("public sealed interface dev.millrace.Acquisition\n")
        .contains("  public abstract dev.millrace.Lease acquire(dev.millrace.AcquireRequest)")
        .contains("  public static final String DEFAULT_NAMESPACE = default\n")
        .doesNotContain(".internal.", "lambda$", "hashCode");
  }

  @Test
  void bom_hasTheVersionOfTheProject() throws IOException {
    String version = "<version>([^<]+)</version>";

    assertThat(first(Repository.read("libraries/bom/pom.xml"), version))
        .isEqualTo(first(Repository.read("pom.xml"), version));
  }

  private static String first(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow().group(1);
  }
}
