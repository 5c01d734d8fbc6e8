package dev.millrace.llm.meter;

import dev.millrace.llm.estimate.TokenCounter;

/**
 * What a stream has produced. Kept as text, because pieces do not end where tokens do: counted one
 * by one they are more than the whole. What is kept is bounded; a longer text is counted in parts.
 * Guarded by its call.
 */
final class Produced {
  /** Longest text that is counted as one. */
  static final int MAX_KEPT_CHARS = 500_000;

  private final TokenCounter counter;
  private final String model;
  private final StringBuilder kept = new StringBuilder();
  private long countedTokens;
  private long roughTokens;

  Produced(TokenCounter counter, String model) {
    this.counter = counter;
    this.model = model;
  }

  void add(String piece) {
    if (kept.length() + piece.length() > MAX_KEPT_CHARS) {
      countedTokens += counter.count(model, kept.toString());
      kept.setLength(0);
    }
    kept.append(piece);
    roughTokens += counter.count(model, piece);
  }

  boolean isEmpty() {
    return kept.isEmpty() && countedTokens == 0;
  }

  /** Piece by piece: quick, and never less than the whole. */
  long roughTokens() {
    return roughTokens;
  }

  /** The whole. */
  long tokens() {
    return kept.isEmpty() ? countedTokens : countedTokens + counter.count(model, kept.toString());
  }
}
