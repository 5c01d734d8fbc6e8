package dev.millrace.simulator.mutation;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The classes of one changed source, compiled against the class path, in a directory of its own.
 */
final class MutantBuild implements AutoCloseable {
  private static final String SOURCES = "/src/main/java/";

  private final Path classes;

  private MutantBuild(Path classes) {
    this.classes = classes;
  }

  /** A build without a change: every class comes from the class path. */
  static MutantBuild unchanged() {
    return new MutantBuild(directory());
  }

  /** Builds {@code mutant} from the sources in {@code home}, against a class path. */
  static MutantBuild of(Mutant mutant, Path home, String classPath) {
    String source = mutant.applied(read(home.resolve(mutant.file())));
    MutantBuild build = unchanged();
    try {
      build.compile(mutant, source, classPath);
      return build;
    } catch (RuntimeException | Error e) {
      build.close();
      throw e;
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a source to change: " + file, e);
    }
  }

  Path classes() {
    return classes;
  }

  private void compile(Mutant mutant, String source, String classPath) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException("mutants are compiled, and this Java has no compiler");
    }
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-implicit:none",
              "-classpath",
              classPath,
              "-d",
              classes.toString());
      boolean done =
          compiler
              .getTask(messages, files, null, options, null, List.of(new Source(mutant, source)))
              .call();
      if (!done) {
        throw new IllegalStateException("mutant " + mutant.name() + " is no Java:\n" + messages);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Mutant mutant, String text) {
      super(uri(mutant.file()), Kind.SOURCE);
      this.text = text;
    }

    private static URI uri(String file) {
      return URI.create("mutant:///" + file.substring(file.indexOf(SOURCES) + SOURCES.length()));
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("millrace-mutant");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it. */
  @Override
  public void close() {
    try (Stream<Path> paths = Files.walk(classes)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + classes, e);
    }
  }
}
