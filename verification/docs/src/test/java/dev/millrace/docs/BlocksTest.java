package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every fenced block of the documents is compiled, read or looked up. One that nothing checks is a
 * mistake too: what is only to be looked at, such as output, is {@code text}.
 */
class BlocksTest {
  private static final String OUTPUT = "text";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  Path temporary;

  @SuppressWarnings("NullAway.Init") // set before the tests
  private static ShellBlocks shell;

  @BeforeAll
  static void describeCommands() throws IOException {
    shell = new ShellBlocks();
  }

  @Test
  void blocks_ofEveryDocument_areRight() throws IOException {
    List<CodeBlock> blocks = Repository.blocks();

    assertThat(blocks).hasSizeGreaterThan(40);
    assertThat(problems(blocks)).isEmpty();
  }

  private List<String> problems(List<CodeBlock> blocks) throws IOException {
    DataBlocks data = new DataBlocks(temporary);
    List<CodeBlock> java = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (CodeBlock block : blocks) {
      if (!block.proof().isEmpty()) {
        if (!shell.hasTest(block.proof())) {
          problems.add(at(block, "there is no test " + block.proof()));
        }
        continue;
      }
      switch (block.language()) {
        case "java" -> java.add(block);
        case "sh" -> shell.problems(block.text()).forEach(p -> problems.add(at(block, p)));
        case OUTPUT -> {
          if (block.reader().equals("synopsis")) {
            shell.synopsisProblems(block.text()).forEach(p -> problems.add(at(block, p)));
          }
        }
        case "" -> problems.add(at(block, "has no language; 'text' is for what is no code"));
        default -> {
          String problem = data.problem(block);
          if (!problem.isEmpty()) {
            problems.add(at(block, problem));
          }
        }
      }
    }
    problems.addAll(JavaBlocks.problems(java, temporary));
    return problems;
  }

  @Test
  void commands_withinSentences_areRight() throws IOException {
    List<String> problems = new ArrayList<>();
    for (String path : Repository.documents()) {
      for (Document.Reference code : Document.read(Repository.root(), path).codes()) {
        if (code.target().startsWith("./millrace ")) {
          shell
              .problemsWithin(code.target())
              .forEach(problem -> problems.add(path + ":" + code.line() + ": " + problem));
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  private static String at(CodeBlock block, String problem) {
    return block.place() + ": " + problem;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "java | dynamo.unknown(); | x.md:8: cannot find symbol",
        "java | record R(int a) { int b; } | x.md:8: field declaration must be static",
        "java | class C { Missing m; } | x.md:8: cannot find symbol",
        "java | void method() { return 1; } | x.md:8: incompatible types",
        "sh | ./millrace entity lst | x.md:7: './millrace entity lst'",
        "sh | ./millrace entity list --nothing | x.md:7: './millrace entity list --nothing'",
        "sh | curl -s http://127.0.0.1:8080/v1/nothing | no route get /v1/nothing",
        "sh | curl -X POST http://127.0.0.1:8080/health | no route post /health",
        "sh | mvn -pl :millrace-nothing test | there is no module :millrace-nothing",
        "sh | mvn test -Dtest=NothingTest | there is no test NothingTest",
        "sh | mvn -Pnothing verify | there is no profile nothing",
        "sh | wget http://example.com | no program that everybody has",
        "sh | echo `\"`open | a quote is not closed",
        "yaml | `a: [` | while parsing",
        "yaml manifest | `{version: 1, limts: []}` | limts",
        "yaml envoy | version: 2 | version",
        "yaml keys | keys: [{name: x}] | sha256",
        "json | `{` | Unexpected end-of-input",
        "json prices | `{\"prices\": {\"x\": 1}}` | price 'x' is none of",
        "xml dependency | <dependency/> | a dependency has no artifactId",
        "ini profiles | tabel = x | tabel",
        "text synopsis | ./millrace bench [--nothing N] | has no option --nothing",
        "text synopsis | ./millrace nothing | names no command",
        "yaml nothing | a: 1 | nothing checks 'yaml nothing'",
        "cobol | STOP RUN | nothing checks 'cobol'",
        "`` | ./millrace up | has no language",
      })
  void block_withAMistake_isNamed(String info, String text, String problem) throws IOException {
    CodeBlock block = new CodeBlock("x.md", 7, info, text + "\n", "", "");

    assertThat(problems(List.of(block))).anySatisfy(found -> assertThat(found).contains(problem));
  }

  @Test
  void block_provenElsewhere_needsThatTest() throws IOException {
    CodeBlock proven = new CodeBlock("x.md", 7, "java", "Missing m;", "", "BlocksTest");
    CodeBlock unproven = new CodeBlock("x.md", 7, "java", "Missing m;", "", "NothingTest");

    assertThat(problems(List.of(proven))).isEmpty();
    assertThat(problems(List.of(unproven))).containsExactly("x.md:7: there is no test NothingTest");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "java | Lease lease = RateLimiter.create(store, LimiterOptions.defaults()).acquire(request);",
        "java | DynamoStore again() { return store; }",
        "java | public final class Whole { DynamoUsageStore of(DynamoDbClient c) { return DynamoUsageStore.of(c, \"t\"); } }",
        "sh | mkdir state && ./millrace entity list --embedded state > out # as text",
        "sh | curl -s http://127.0.0.1:8080/v1/namespaces/default/leases/$LEASE",
        "text | anything",
      })
  void block_thatIsRight_isAccepted(String info, String text) throws IOException {
    CodeBlock block = new CodeBlock("x.md", 7, info, text + "\n", "DynamoStore store;\n", "");

    assertThat(problems(List.of(block))).isEmpty();
  }
}
