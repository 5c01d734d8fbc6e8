package dev.millrace.spring.docs;

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

/** The blocks of a document, and what is made of them. */
final class Guide {
  private final String text;

  private Guide(String text) {
    this.text = text;
  }

  static Guide read(String path) throws IOException {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(path))) {
      directory = directory.getParent();
    }
    return new Guide(Files.readString(directory.resolve(path)));
  }

  String text() {
    return text;
  }

  /** The code of every block that is fenced as {@code language}. */
  List<String> blocks(String language) {
    return Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** What the blocks take for granted, which readers do not see: imports first, then members. */
  String given() {
    int begin = text.indexOf("<!-- given\n") + "<!-- given\n".length();
    return text.substring(begin, text.indexOf("-->", begin));
  }

  /** The only block in {@code language} of the newcomer's example. */
  String newcomer(String language) {
    List<String> found =
        Pattern.compile(
                "^<!-- newcomer \\S+: run by NewcomerIT -->\n```"
                    + language
                    + "\\b.*\\n((?s:.*?))^```$",
                Pattern.MULTILINE)
            .matcher(text)
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(found).as(language).hasSize(1);
    return found.get(0);
  }

  /** Compiles as Boot's build plugins do, with the names of parameters. */
  static void compile(String name, String source, Path classes) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-parameters",
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"));
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, problems, options, null, List.of(file))
        .call();
    assertThat(problems.getDiagnostics())
        .filteredOn(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .as(source)
        .isEmpty();
  }
}
