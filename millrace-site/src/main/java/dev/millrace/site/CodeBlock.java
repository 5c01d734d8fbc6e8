package dev.millrace.site;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a document. The first word of its info is the language, the second, if there is
 * one, names what reads it: {@code yaml manifest}.
 *
 * <p>What a block takes for granted is said in comments before it, which readers do not see: {@code
 * <!-- given ... -->} holds imports and members for all Java that follows on the page.
 *
 * @param path of the document
 * @param line of the opening fence, from 1
 * @param info what follows the fence
 * @param text what is in it
 * @param given what the comments above it say
 */
public record CodeBlock(String path, int line, String info, String text, String given) {
  private static final Pattern GIVEN =
      Pattern.compile("\\A\\s*<!-- given\\s(.*?)-->\\s*\\z", Pattern.DOTALL);

  /** The language, empty when none is said. */
  public String language() {
    return word(0);
  }

  /** What reads it, empty when only the language counts. */
  public String reader() {
    return word(1);
  }

  /** Where it stands, for messages. */
  public String place() {
    return path + ":" + line;
  }

  static String given(String html) {
    Matcher comment = GIVEN.matcher(html);
    return comment.matches() ? comment.group(1) + "\n" : "";
  }

  private String word(int index) {
    String[] words = info.split("\\s+", -1);
    return index < words.length ? words[index] : "";
  }
}
