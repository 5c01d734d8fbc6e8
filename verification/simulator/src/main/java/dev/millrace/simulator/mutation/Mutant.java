package dev.millrace.simulator.mutation;

/**
 * A deliberate fault.
 *
 * @param name what it is called, in small letters and dashes
 * @param wrong what is wrong, in a sentence
 * @param catcher what must catch it
 * @param file the source it changes, from the root of the project
 * @param original the text it replaces, which is there once
 * @param replacement what it puts in its place
 */
public record Mutant(
    String name, String wrong, Catcher catcher, String file, String original, String replacement) {
  /**
   * The source with the fault.
   *
   * @throws IllegalStateException when the original is not there exactly once: then the source has
   *     changed and the list must follow
   */
  String applied(String source) {
    int at = source.indexOf(original);
    if (at < 0 || source.indexOf(original, at + 1) >= 0) {
      throw new IllegalStateException(
          "mutant "
              + name
              + ": its original is "
              + (at < 0 ? "not" : "more than once")
              + " in "
              + file
              + ":\n"
              + original);
    }
    return source.substring(0, at) + replacement + source.substring(at + original.length());
  }
}
