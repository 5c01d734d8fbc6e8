package dev.millrace.docs;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles the Java of the documents, all blocks at once. A block may be types, statements or
 * members; the first of these that it can be parsed as is what it is. It is given what every
 * application has, and what the comments above it say.
 */
final class JavaBlocks {
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-Xlint:all,-serial,-processing", "-Xmaxerrs", "1000", "-cp");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:\\w+ )*?(?:class|interface|record|enum|@interface) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("\\A\\s*package [\\w.]+;");
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** What every block takes for granted: imports, clients, and a call that costs tokens. */
  private static final List<String> IMPORTS =
      List.of(
          "import dev.millrace.admin.*;",
          "import dev.millrace.*;",
          "import dev.millrace.Limit;",
          "import dev.millrace.LimitSet;",
          "import dev.millrace.AcquireRequest;",
          "import dev.millrace.dynamodb.admin.TableAdmin;",
          "import dev.millrace.dynamodb.client.*;",
          "import java.time.*;",
          "import java.util.*;",
          "import java.util.concurrent.CompletionStage;",
          "import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;",
          "import software.amazon.awssdk.services.dynamodb.DynamoDbClient;");

  private static final String MEMBERS =
      """
      record Response(long tokens) {}
      DynamoDbClient dynamo;
      DynamoDbAsyncClient dynamoAsync;
      AcquireRequest request;
      abstract Response call();
      """;

  private JavaBlocks() {}

  /** What is wrong with the blocks, with the lines of the documents. */
  static List<String> problems(List<CodeBlock> blocks, Path classes) {
    if (blocks.isEmpty()) {
      return List.of();
    }
    Map<String, Source> sources = new TreeMap<>();
    for (int i = 0; i < blocks.size(); i++) {
      Source source = Source.of(blocks.get(i), "block" + i);
      sources.put(source.toUri().toString(), source);
    }
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(List.of(System.getProperty("java.class.path"), "-d", classes.toString()));
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    COMPILER.getTask(null, null, problems, options, null, sources.values()).call();
    return problems.getDiagnostics().stream()
        .filter(problem -> problem.getSource() != null) // of a block, not of the class path
        .filter(problem -> problem.getKind() != Diagnostic.Kind.NOTE)
        .map(problem -> describe(problem, sources))
        .toList();
  }

  private static String describe(
      Diagnostic<? extends JavaFileObject> problem, Map<String, Source> sources) {
    Source source = sources.get(problem.getSource().toUri().toString());
    if (source == null) {
      throw new IllegalStateException("not one of the blocks: " + problem);
    }
    long line = source.block.line() + problem.getLineNumber() - source.linesBefore;
    return "%s:%d: %s".formatted(source.block.path(), line, problem.getMessage(Locale.ROOT));
  }

  /** A block as a source file, in a package of its own. */
  private static final class Source extends SimpleJavaFileObject {
    private final CodeBlock block;
    private final String text;
    private final long linesBefore;

    private Source(CodeBlock block, String place, String name, String before, String after) {
      super(URI.create("string:///" + place + "/" + name + ".java"), Kind.SOURCE);
      this.block = block;
      this.text = before + block.text() + after;
      this.linesBefore = before.lines().count();
    }

    /** A block that is a whole file says all that it needs, but two may be of one package. */
    private Source(CodeBlock block, String place, String name) {
      super(URI.create("string:///" + place + "/" + name + ".java"), Kind.SOURCE);
      this.block = block;
      this.text = PACKAGE.matcher(block.text()).replaceFirst("package " + place + ";");
      this.linesBefore = 0;
    }

    static Source of(CodeBlock block, String place) {
      Map<Boolean, String> given =
          block
              .given()
              .lines()
              .collect(
                  Collectors.partitioningBy(
                      line -> line.strip().startsWith("import "), Collectors.joining("\n")));
      String head =
          "package %s;\n%s\n%s\n".formatted(place, String.join("\n", IMPORTS), given.get(true));
      String members = MEMBERS + given.get(false) + "\n";
      Matcher type = PUBLIC_TYPE.matcher(block.text());
      if (PACKAGE.matcher(block.text()).find()) {
        return new Source(block, place, type.find() ? type.group(1) : "Types");
      }
      Source types = new Source(block, place, type.find() ? type.group(1) : "Types", head, "");
      if (types.canBeParsed()) {
        return types;
      }
      String open = head + "@SuppressWarnings(\"unused\")\nabstract class Example {\n" + members;
      Source statements =
          new Source(block, place, "Example", open + "void example() throws Exception {\n", "}}");
      return statements.canBeParsed() ? statements : new Source(block, place, "Example", open, "}");
    }

    private boolean canBeParsed() {
      DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
      JavacTask task =
          (JavacTask)
              COMPILER.getTask(null, null, problems, List.of("-proc:none"), null, List.of(this));
      try {
        task.parse();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return problems.getDiagnostics().stream()
          .noneMatch(problem -> problem.getKind() == Diagnostic.Kind.ERROR);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
