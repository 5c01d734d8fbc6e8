package dev.millrace.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check that the code of {@code docs/guide/plain-java.md} compiles as it stands. */
class PlainJavaDocsTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern GIVEN = Pattern.compile("<!-- given\\n(.*?)-->", Pattern.DOTALL);

  private static final String PROGRAM =
      """
      import dev.millrace.*;
      import dev.millrace.Limit;
      import dev.millrace.AcquireRequest;
      import java.time.Duration;
      %s
      abstract class Example {
        AcquireRequest request;
      %s
      }
      """;

  @Test
  void blocks_compile(@TempDir Path classes) throws IOException {
    StringBuilder methods = new StringBuilder();
    List<String> blocks = BLOCK.matcher(page()).results().map(block -> block.group(1)).toList();
    for (int i = 0; i < blocks.size(); i++) {
      methods.append("  void block%d() throws Exception {%n%s}%n".formatted(i, blocks.get(i)));
    }

    assertThat(blocks).hasSizeGreaterThan(7);
    assertThat(problems(program(methods.toString()), classes)).isEmpty();
  }

  @Test
  void problems_ofAMistake_areFound(@TempDir Path classes) throws IOException {
    assertThat(problems(program("int mistake = limiter.unknown();"), classes)).hasSize(1);
  }

  /** With what the page takes for granted, in a comment that readers do not see. */
  private static String program(String methods) throws IOException {
    Matcher given = GIVEN.matcher(page());
    assertThat(given.find()).isTrue();
    Map<Boolean, String> lines =
        given
            .group(1)
            .lines()
            .collect(
                Collectors.partitioningBy(
                    line -> line.startsWith("import "), Collectors.joining("\n")));
    return PROGRAM.formatted(lines.get(true), lines.get(false) + "\n" + methods);
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/guide/plain-java.md"));
  }

  private static List<String> problems(String source, Path classes) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    List<String> options =
        List.of(
            "-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, problems, options, null, List.of(file))
        .call();
    return problems.getDiagnostics().stream()
        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .toList();
  }
}
