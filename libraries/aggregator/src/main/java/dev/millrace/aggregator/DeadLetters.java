package dev.millrace.aggregator;

import java.util.List;

/**
 * A durable destination of invalid records, so that the stream can go on. Letters are durable when
 * {@link #put} returns. The same letter may be put more than once, as the stream may deliver its
 * record more than once: a destination that can should keep it once, by its sequence number.
 */
public interface DeadLetters {
  /**
   * Stores {@code letters}, at least one.
   *
   * @throws RuntimeException when they are not all durable: the batch then fails and is delivered
   *     again
   */
  void put(List<DeadLetter> letters);
}
