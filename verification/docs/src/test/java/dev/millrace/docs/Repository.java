package dev.millrace.docs;

import dev.millrace.site.Checkout;
import dev.millrace.site.CodeBlock;
import dev.millrace.site.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The checkout that the tests run in, and its documents. */
final class Repository {
  private Repository() {}

  static Path root() {
    return Checkout.root();
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
