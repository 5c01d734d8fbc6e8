package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program that people write prints what the page says. */
class GettingStartedIT {
  private static final String PAGE = "docs/guide/getting-started.md";

  @Test
  void program_ofThePage_printsWhatThePageSays(@TempDir Path classes) throws Exception {
    List<CodeBlock> blocks = Document.read(Repository.root(), PAGE).blocks();
    CodeBlock program = only(blocks, "java");
    assertThat(JavaBlocks.problems(List.of(program), classes)).isEmpty();

    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "block0.FirstLimit")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(withoutTime(printed)).isEqualTo(withoutTime(only(blocks, "text").text()));
  }

  private static CodeBlock only(List<CodeBlock> blocks, String language) {
    List<CodeBlock> found =
        blocks.stream().filter(block -> block.language().equals(language)).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** Until when to wait depends on how long the program has taken. */
  private static String withoutTime(String text) {
    return text.replaceAll("retry in \\d+ s", "retry in N s");
  }
}
