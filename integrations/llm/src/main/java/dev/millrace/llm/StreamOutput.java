package dev.millrace.llm;

/**
 * The output of a stream so far. Kept as text, because parts do not end at tokens: counted one by
 * one they are more than the whole. The text is bounded; a longer one is counted in parts. Guarded
 * by its call.
 */
final class StreamOutput {
  /** Longest text that is counted as one. */
  static final int MAX_KEPT_CHARS = 500_000;

  private final TokenCounter counter;
  private final String model;
  private final StringBuilder kept = new StringBuilder();
  private long countedTokens;
  private long roughTokens;

  StreamOutput(TokenCounter counter, String model) {
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

  /** The sum of the parts: quick, and never less than the whole. */
  long roughTokens() {
    return roughTokens;
  }

  long tokens() {
    return kept.isEmpty() ? countedTokens : countedTokens + counter.count(model, kept.toString());
  }
}
