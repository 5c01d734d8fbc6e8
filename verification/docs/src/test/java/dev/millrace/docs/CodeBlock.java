package dev.millrace.docs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a document. The first word of its info is the language, the second, if there is
 * one, names what reads it: {@code yaml manifest}.
 *
 * <p>What a block takes for granted is said in comments before it, which readers do not see: {@code
 * <!-- given ... -->} holds imports and members for all Java that follows on the page. {@code <!--
 * compiled by SomeTest -->} right before a block names a test that puts it to the proof elsewhere.
 *
 * @param path of the document
 * @param line of the opening fence, from 1
 * @param info what follows the fence
 * @param text what is in it
 * @param given what the comments above it say
 * @param proof the test that proves it elsewhere, empty when there is none
 */
record CodeBlock(String path, int line, String info, String text, String given, String proof) {
  private static final Pattern PROOF =
      Pattern.compile("\\A\\s*<!-- [^>]*\\bby (\\w+(?:Test|IT)) -->\\s*\\z");
  private static final Pattern GIVEN =
      Pattern.compile("\\A\\s*<!-- given\\s(.*?)-->\\s*\\z", Pattern.DOTALL);

  /** The language, empty when none is said. */
  String language() {
    return word(0);
  }

  /** What reads it, empty when only the language counts. */
  String reader() {
    return word(1);
  }

  /** Where it stands, for messages. */
  String place() {
    return path + ":" + line;
  }

  static String given(String html) {
    Matcher comment = GIVEN.matcher(html);
    return comment.matches() ? comment.group(1) + "\n" : "";
  }

  static String proof(String html) {
    Matcher comment = PROOF.matcher(html);
    return comment.matches() ? comment.group(1) : "";
  }

  private String word(int index) {
    String[] words = info.split("\\s+", -1);
    return index < words.length ? words[index] : "";
  }
}
