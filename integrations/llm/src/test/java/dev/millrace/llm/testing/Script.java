package dev.millrace.llm.testing;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instructions to the fake provider, as words in brackets in the prompt:
 *
 * <ul>
 *   <li>{@code [words 20]} answers with that many words
 *   <li>{@code [silent]} does not report usage
 *   <li>{@code [cached 8]} reports that many cached input tokens
 *   <li>{@code [fail]} answers with status 500 and bills nothing
 *   <li>{@code [stall]} begins, and never answers
 *   <li>{@code [stall-after 5]} sends that many words of a stream, and then nothing
 *   <li>{@code [cut-after 5]} sends that many words of a stream, and disconnects
 *   <li>{@code [tools 2]} requests that many tool calls, unless it has their results
 * </ul>
 */
record Script(Map<String, Integer> words) {
  private static final Pattern WORD = Pattern.compile("\\[([a-z-]+)(?: (\\d+))?]");
  private static final int DEFAULT_WORDS = 10;

  static Script of(String text) {
    Map<String, Integer> words = new HashMap<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      String number = matcher.group(2);
      words.put(matcher.group(1), number == null ? 0 : Integer.parseInt(number));
    }
    return new Script(words);
  }

  boolean has(String word) {
    return words.containsKey(word);
  }

  int number(String word) {
    return words.getOrDefault(word, 0);
  }

  int answerWords() {
    return words.getOrDefault("words", DEFAULT_WORDS);
  }
}
