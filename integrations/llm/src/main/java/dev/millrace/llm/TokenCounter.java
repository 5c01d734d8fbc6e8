package dev.millrace.llm;

/** A counter of the tokens of a text by the rules of a model. Called by many threads at once. */
@FunctionalInterface
public interface TokenCounter {
  /** The number of tokens of {@code text} for {@code model}. */
  long count(String model, String text);

  /**
   * Whether it counts exactly as {@code model} does; else its counts are an estimate that can be
   * improved.
   */
  default boolean isExact(String model) {
    return true;
  }
}
