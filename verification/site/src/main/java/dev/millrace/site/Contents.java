package dev.millrace.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the site holds and in what order: chapters by what people want to do. It is a text, {@code
 * contents.txt}: a line for a chapter, an indented one for a document, with the words of the
 * navigation when they are not the document's title. A document that is not there is left out; that
 * none is forgotten is a test's business.
 *
 * @param chapters in order
 */
public record Contents(List<Chapter> chapters) {
  private static final String OWN = "contents.txt";
  private static final String INDENT = "  ";
  private static final String ALL = "*.md";

  /**
   * A part of the navigation.
   *
   * @param title what its documents are for
   * @param entries in order
   */
  public record Chapter(String title, List<Entry> entries) {
    public Chapter {
      entries = List.copyOf(entries);
    }
  }

  /**
   * A document of a chapter.
   *
   * @param path of the document in the repository
   * @param label in the navigation; empty for the document's own title
   */
  public record Entry(String path, String label) {}

  public Contents {
    chapters = List.copyOf(chapters);
  }

  /** The contents of the documents at {@code root}. */
  public static Contents of(Path root) throws IOException {
    try (InputStream own = Objects.requireNonNull(Contents.class.getResourceAsStream(OWN))) {
      return parse(root, new String(own.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static Contents parse(Path root, String text) {
    List<Chapter> chapters = new ArrayList<>();
    String title = "";
    List<Entry> entries = new ArrayList<>();
    for (String line : text.lines().filter(l -> !l.isBlank()).toList()) {
      if (line.startsWith(INDENT)) {
        entries.addAll(entries(root, line.strip()));
      } else {
        add(chapters, title, entries);
        title = line.strip();
        entries = new ArrayList<>();
      }
    }
    add(chapters, title, entries);
    return new Contents(chapters);
  }

  /** All documents. */
  public List<String> paths() {
    return chapters.stream().flatMap(c -> c.entries().stream()).map(Entry::path).toList();
  }

  private static void add(List<Chapter> chapters, String title, List<Entry> entries) {
    if (!entries.isEmpty()) {
      chapters.add(new Chapter(title, entries));
    }
  }

  private static List<Entry> entries(Path root, String line) {
    String[] words = line.split("\\s+", 2);
    if (words[0].endsWith(ALL)) {
      return all(root, words[0].substring(0, words[0].length() - ALL.length()));
    }
    Entry entry = new Entry(words[0], words.length > 1 ? words[1] : "");
    return Files.exists(root.resolve(entry.path())) ? List.of(entry) : List.of();
  }

  private static List<Entry> all(Path root, String directory) {
    try (Stream<Path> files = Files.list(root.resolve(directory))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md"))
          .sorted()
          .map(name -> new Entry(directory + name, ""))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
