package dev.millrace.docs;

import java.util.ArrayList;
import java.util.List;

/** As much of a shell's language as the documents use: words, quotes, comments, pipes, lists. */
final class ShellText {
  private final List<List<String>> commands = new ArrayList<>();
  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;

  private ShellText() {}

  /** The commands of the text, each as its words. */
  static List<List<String>> commands(String text) {
    ShellText shell = new ShellText();
    shell.read(text.replace("\\\n", " "));
    return shell.commands;
  }

  private void read(String text) {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\'' || c == '"') {
        int end = text.indexOf(c, i + 1);
        if (end < 0) {
          throw new IllegalArgumentException("a quote is not closed: " + text.substring(i));
        }
        word.append(text, i + 1, end);
        inWord = true;
        i = end;
      } else if (c == '#' && !inWord) {
        i = endOfLine(text, i) - 1;
      } else if (text.startsWith("$(", i)) {
        int end = closing(text, i);
        read(text.substring(i + 2, end), "$(…)");
        i = end;
      } else if (c == '\n' || c == '|' || c == ';' || (c == '&' && !inWord)) {
        endCommand();
      } else if (c == ' ') {
        endWord();
      } else {
        word.append(c);
        inWord = true;
      }
      i++;
    }
    endCommand();
  }

  /** What stands in the place of {@code inner}, whose commands are commands too. */
  private void read(String inner, String place) {
    commands.addAll(commands(inner));
    word.append(place);
    inWord = true;
  }

  private static int endOfLine(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private static int closing(String text, int from) {
    int depth = 0;
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '\'';
      if (!quoted && c == '(') {
        depth++;
      } else if (!quoted && c == ')' && --depth == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("$( is not closed: " + text.substring(from));
  }

  private void endWord() {
    if (inWord) {
      words.add(word.toString());
      word.setLength(0);
      inWord = false;
    }
  }

  private void endCommand() {
    endWord();
    if (!words.isEmpty()) {
      commands.add(List.copyOf(words));
      words.clear();
    }
  }
}
