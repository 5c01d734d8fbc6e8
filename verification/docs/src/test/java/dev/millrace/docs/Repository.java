package dev.millrace.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout that the tests run in, and its documents. */
final class Repository {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Repository() {}

  /** Its first directory; tests run in the directory of their module. */
  static Path root() {
    return Path.of("../..").toAbsolutePath().normalize();
  }

  /** The directories of the modules that every build has, by artifact, as the POM lists them. */
  static Map<String, Path> modules() throws IOException {
    String pom = read("pom.xml");
    Map<String, Path> modules = new LinkedHashMap<>();
    MODULE
        .matcher(pom.substring(0, pom.indexOf("</modules>")))
        .results()
        .map(module -> root().resolve(module.group(1)))
        .forEach(directory -> modules.put("millrace-" + directory.getFileName(), directory));
    return modules;
  }

  static String read(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }

  /** The paths of the Markdown files at the root, below {@code docs} and of the examples. */
  static List<String> documents() throws IOException {
    try (Stream<Path> atRoot = Files.list(root());
        Stream<Path> below = Files.walk(root().resolve("docs"));
        Stream<Path> examples = Files.list(root().resolve("examples"))) {
      Stream<Path> told = examples.map(path -> path.resolve("README.md")).filter(Files::exists);
      return Stream.of(atRoot, below, told)
          .flatMap(Function.identity())
          .map(path -> root().relativize(path).toString())
          .filter(path -> path.endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** Every fenced block of every document. */
  static List<CodeBlock> blocks() throws IOException {
    List<CodeBlock> blocks = new ArrayList<>();
    for (String path : documents()) {
      blocks.addAll(Document.read(root(), path).blocks());
    }
    return blocks;
  }
}
