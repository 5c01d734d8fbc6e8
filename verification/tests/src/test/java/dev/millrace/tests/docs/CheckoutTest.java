package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A checkout is complete: nothing in it refers to a folder beside it. */
class CheckoutTest {
  /** The folder that stood beside the project in the rooms where it was written. */
  private static final Pattern BESIDE =
      Pattern.compile("resolve\\(\"shar" + "ed\"\\)|\\.\\./shar" + "ed\\b|\\bshar" + "ed/vectors");

  private static final Pattern TEXT =
      Pattern.compile(".*\\.(java|xml|md|sh|ya?ml|txt|js|mjs|json|properties|html)|[^.]+|run");

  private static final Set<String> MADE = Set.of("target", ".git", "node_modules");

  @Test
  void files_nameNoFolderBesideTheCheckout() throws IOException {
    Path root = Repository.root();
    List<String> found = new ArrayList<>();
    List<Path> read = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return MADE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (TEXT.matcher(file.getFileName().toString()).matches()) {
              read.add(file);
              if (BESIDE.matcher(Files.readString(file)).find()) {
                found.add(root.relativize(file).toString());
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });

    assertThat(read).as("files that were read").hasSizeGreaterThan(500);
    assertThat(found).isEmpty();
  }
}
