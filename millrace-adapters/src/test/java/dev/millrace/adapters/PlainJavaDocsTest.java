package dev.millrace.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/plain-java.md} shows compiles as it stands. */
class PlainJavaDocsTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final String PROGRAM =
      """
      import com.sun.net.httpserver.HttpExchange;
      import dev.millrace.adapters.call.*;
      import dev.millrace.adapters.concurrent.*;
      import dev.millrace.adapters.http.*;
      import dev.millrace.adapters.jaxrs.*;
      import dev.millrace.adapters.jdk.*;
      import dev.millrace.adapters.micrometer.*;
      import dev.millrace.adapters.okhttp.*;
      import dev.millrace.client.*;
      import dev.millrace.core.limit.Limit;
      import dev.millrace.core.request.AcquireRequest;
      import io.micrometer.core.instrument.MeterRegistry;
      import java.io.IOException;
      import java.net.http.HttpClient;
      import java.nio.charset.StandardCharsets;
      import java.time.Duration;
      import java.util.concurrent.*;
      import java.util.function.Supplier;
      import okhttp3.OkHttpClient;

      abstract class Example {
        record Answer(String text, long tokens) {}

        interface Model {
          Answer ask(String prompt);

          CompletionStage<Answer> askLater(String prompt);
        }

        RateLimiter limiter;
        AcquireRequest request;
        ExecutorService threads;
        Model model;
        HttpExchange exchange;
        MeterRegistry registry;

      %s
      }
      """;

  @Test
  void blocks_compile(@TempDir Path classes) throws IOException {
    StringBuilder methods = new StringBuilder();
    List<String> blocks = blocks();
    for (int i = 0; i < blocks.size(); i++) {
      methods.append("  void block%d() throws IOException {%n%s}%n".formatted(i, blocks.get(i)));
    }

    assertThat(blocks).hasSizeGreaterThan(7);
    assertThat(problems(PROGRAM.formatted(methods), classes)).isEmpty();
  }

  @Test
  void problems_ofAMistake_areFound(@TempDir Path classes) {
    assertThat(problems(PROGRAM.formatted("int mistake = limiter.unknown();"), classes))
        .isNotEmpty();
  }

  private static List<String> blocks() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("docs/plain-java.md"))) {
      root = root.getParent();
    }
    return BLOCK
        .matcher(Files.readString(root.resolve("docs/plain-java.md")))
        .results()
        .map(block -> block.group(1))
        .toList();
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
