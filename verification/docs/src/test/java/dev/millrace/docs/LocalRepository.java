package dev.millrace.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A local repository of Maven with the modules as they are now, in place of {@code mvn install}:
 * everything else is linked to the repository of the user, which no test fills with snapshots.
 */
final class LocalRepository implements AutoCloseable {
  private static final String GROUP = "dev/millrace";
  private static final String VERSION = "0.1.0-SNAPSHOT";

  private final Path directory;
  private final List<Path> links = new ArrayList<>();

  private LocalRepository(Path directory) {
    this.directory = directory;
  }

  /** Makes one in {@code directory}, which is empty. */
  static LocalRepository create(Path directory) throws IOException {
    LocalRepository repository = new LocalRepository(directory);
    repository.fill();
    return repository;
  }

  Path directory() {
    return directory;
  }

  /** Removes the links, so that nothing beyond them is ever deleted with the directory. */
  @Override
  public void close() throws IOException {
    for (Path link : links) {
      Files.delete(link);
    }
  }

  private void fill() throws IOException {
    linkAllBut("dev", ofTheUser(), directory);
    linkAllBut("millrace", ofTheUser().resolve("dev"), directory.resolve("dev"));
    Path root = Repository.root();
    install(root, "millrace", directory);
    for (Map.Entry<String, Path> module : Repository.modules().entrySet()) {
      install(module.getValue(), module.getKey(), directory);
    }
  }

  /** The one that the running build uses, if Maven says so. */
  private static Path ofTheUser() {
    String told = System.getProperty("localRepository");
    return told == null
        ? Path.of(System.getProperty("user.home"), ".m2", "repository")
        : Path.of(told);
  }

  private void linkAllBut(String name, Path from, Path to) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.filter(e -> !e.getFileName().toString().equals(name)).toList()) {
        links.add(
            Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath()));
      }
    }
  }

  private static void install(Path module, String artifact, Path repository) throws IOException {
    Path place =
        Files.createDirectories(repository.resolve(GROUP).resolve(artifact).resolve(VERSION));
    String file = artifact + "-" + VERSION;
    Files.copy(module.resolve("pom.xml"), place.resolve(file + ".pom"));
    Path classes = module.resolve("target/classes");
    if (Files.isDirectory(classes)) {
      pack(classes, place.resolve(file + ".jar"));
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      files.filter(Files::isRegularFile).forEach(file -> add(classes, file, out));
    }
  }

  private static void add(Path classes, Path file, JarOutputStream out) {
    try {
      out.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
      Files.copy(file, out);
      out.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
