package dev.millrace.aggregator;

import java.util.List;

/**
 * Where records go that cannot be understood, so that the stream can go on. What is put here is
 * safe when {@link #put} returns. The same letter may be put more than once, as the stream may
 * bring its record more than once: a destination that can should keep it once, by its sequence
 * number.
 */
public interface DeadLetters {
  /**
   * Keeps {@code letters}, of which there is at least one.
   *
   * @throws RuntimeException when they are not all safe: the batch then fails and comes again
   */
  void put(List<DeadLetter> letters);
}
