package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The README's Java compiles as it stands, given what an application has. */
class ReadmeExampleTest {
  private static final String MARKER =
      "<!-- example: compiled by " + ReadmeExampleTest.class.getSimpleName() + " -->\n```java\n";

  /** What the examples take for granted: imports, clients, and a call that costs tokens. */
  private static final String APPLICATION =
      """
      import dev.millrace.admin.*;
      import dev.millrace.client.*;
      import dev.millrace.core.limit.Limit;
      import dev.millrace.core.limit.LimitSet;
      import dev.millrace.core.request.AcquireRequest;
      import dev.millrace.dynamodb.admin.TableAdmin;
      import dev.millrace.dynamodb.client.DynamoStore;
      import java.util.concurrent.CompletionStage;
      import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
      import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

      abstract class Example {
        record Response(long tokens) {}

        DynamoDbClient dynamo;
        DynamoDbAsyncClient dynamoAsync;
        AcquireRequest request;

        abstract Response call();

        void example() {
      %s
        }
      }
      """;

  /** All but whole files, which the module runs that they are about. */
  static List<String> blocks() throws IOException {
    return Markdown.blocks(Repository.read("README.md"), "java").stream()
        .filter(block -> !block.startsWith("import "))
        .toList();
  }

  @Test
  void readme_hasTheMarkedExample() throws IOException {
    String readme = Repository.read("README.md");

    assertThat(readme).containsOnlyOnce(MARKER);
    assertThat(blocks()).anyMatch(block -> readme.contains(MARKER + block));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void block_compiles(String block, @TempDir Path classes) {
    assertThat(compile(APPLICATION.formatted(block), classes)).isEmpty();
  }

  @Test
  void compile_aMistake_isFound(@TempDir Path classes) {
    assertThat(compile(APPLICATION.formatted("dynamo.unknown();"), classes)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("inProse")
  void expressionInProse_compiles(String statement, @TempDir Path classes) throws IOException {
    assertThat(Repository.read("README.md")).contains("`" + statement + "`");
    assertThat(compile(APPLICATION.formatted(statement + ";"), classes)).isEmpty();
  }

  static List<String> inProse() {
    return List.of("TableAdmin.of(dynamo, \"limits\").createIfMissing()");
  }

  private static List<String> compile(String source, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-Xlint:all",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"));
    compiler.getTask(null, null, problems, options, null, List.of(new SourceText(source))).call();
    return problems.getDiagnostics().stream()
        .filter(problem -> problem.getSource() != null) // of the example, not of the class path
        .map(Object::toString)
        .toList();
  }

  /** A source file in memory. */
  private static final class SourceText extends SimpleJavaFileObject {
    private final String source;

    SourceText(String source) {
      super(URI.create("string:///Example.java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }
}
