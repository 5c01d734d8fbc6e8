package dev.millrace.llm.estimate;

/** Counts the tokens of a text as a model would. Called by many threads at once. */
@FunctionalInterface
public interface TokenCounter {
  /** How many tokens {@code text} is to {@code model}. */
  long count(String model, String text);

  /** Whether it counts as {@code model} does; else its counts are a guess that can be improved. */
  default boolean isExact(String model) {
    return true;
  }
}
