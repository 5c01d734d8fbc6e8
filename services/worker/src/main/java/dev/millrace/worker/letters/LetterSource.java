package dev.millrace.worker.letters;

import java.util.function.Predicate;

/** Where dead letters are. */
public interface LetterSource {
  /**
   * Shows every letter to {@code replayed}, as text. Those for which it says yes are removed if
   * {@code remove} is set.
   */
  void forEach(Predicate<String> replayed, boolean remove);
}
