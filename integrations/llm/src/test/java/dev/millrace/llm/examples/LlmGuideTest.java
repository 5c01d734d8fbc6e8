package dev.millrace.llm.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.llm.EstimatorExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guide's Java is what the examples compile, and its figures are what the experiment says. */
class LlmGuideTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "^ *// docs: begin\\n(.*?)^ *// docs: end$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final List<String> MODULES =
      List.of("integrations/llm", "integrations/langchain4j", "integrations/spring-ai");

  private static Path root() {
    return Path.of("../..");
  }

  private static String guide() throws IOException {
    return Files.readString(root().resolve("docs/guide/llm.md"));
  }

  private static List<String> examples() throws IOException {
    List<String> examples = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(root().resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(p -> p.toString().endsWith("Examples.java")).toList()) {
          EXAMPLE
              .matcher(Files.readString(file))
              .results()
              .forEach(
                  example -> examples.add(example.group(1).stripTrailing().stripIndent() + "\n"));
        }
      }
    }
    return examples;
  }

  @Test
  void code_isWhatTheExamplesCompile() throws IOException {
    List<String> blocks = BLOCK.matcher(guide()).results().map(block -> block.group(1)).toList();

    assertThat(blocks).hasSizeGreaterThan(5).containsExactlyInAnyOrderElementsOf(examples());
  }

  @Test
  void figures_areWhatTheExperimentSays() throws IOException {
    assertThat(guide()).contains(EstimatorExperiment.table());
  }
}
