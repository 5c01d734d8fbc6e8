package dev.millrace.examples.batch;

/**
 * A document to be summarised.
 *
 * @param number which one, from 1
 * @param estimatedTokens what the call will cost, as far as one can tell before it
 */
record Document(int number, long estimatedTokens) {
  String name() {
    return "doc-%03d".formatted(number);
  }
}
