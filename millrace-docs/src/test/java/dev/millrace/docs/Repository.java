package dev.millrace.docs;

import dev.millrace.site.Checkout;
import dev.millrace.site.CodeBlock;
import dev.millrace.site.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** The paths of the Markdown files at the root and below {@code docs}. */
  static List<String> documents() throws IOException {
    try (Stream<Path> atRoot = Files.list(root());
        Stream<Path> below = Files.walk(root().resolve("docs"))) {
      return Stream.concat(atRoot, below)
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
