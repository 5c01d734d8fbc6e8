package dev.millrace.worker.letters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The letters of a file. No worker may write to it meanwhile when letters are removed. */
public record FileLetters(Path file) implements LetterSource {
  @Override
  public void forEach(Predicate<String> replayed, boolean remove) {
    try {
      List<String> left = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !replayed.test(line)) {
          left.add(line);
        }
      }
      if (remove) {
        Path rest = file.resolveSibling(file.getFileName() + ".rest");
        Files.write(rest, left);
        Files.move(rest, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not read dead letters from " + file, e);
    }
  }
}
