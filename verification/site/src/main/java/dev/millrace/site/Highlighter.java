package dev.millrace.site;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Colours code when the pages are built, so that they need no script for it. It knows comments,
 * strings, numbers and words; that is enough to read by, and small enough to be right.
 */
final class Highlighter {
  private static final String STRING =
      "(?<string>\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*')";
  private static final String NUMBER = "(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?\\b)";
  private static final String HASH_COMMENT = "(?<comment>(?:(?<=\\s)|^)#[^\\n]*)";
  private static final String NOTHING = "(?<%s>(?!))";

  private static final Pattern JAVA =
      pattern(
          "(?<comment>//[^\\n]*|/\\*.*?\\*/)",
          STRING,
          "(?<word>@\\w+|\\b(?:abstract|boolean|catch|class|default|double|else|enum|extends|false|final"
              + "|finally|for|if|implements|import|instanceof|int|interface|long|new|null|package"
              + "|permits|private|protected|public|record|return|sealed|static|super|switch|this"
              + "|throw|throws|true|try|var|void|while)\\b)",
          NUMBER);
  private static final Pattern SHELL =
      pattern(HASH_COMMENT, STRING, "(?<word>(?<=\\s)--?[a-zA-Z][\\w.-]*)", none("number"));
  private static final Pattern YAML =
      pattern(HASH_COMMENT, STRING, "(?<word>[\\w.@/-]+(?=:(?:\\s|$)))", none("number"));
  private static final Pattern JSON =
      pattern(
          none("comment"),
          "(?<string>\"(?:\\\\.|[^\"\\\\])*\"(?!\\s*:))",
          "(?<word>\"(?:\\\\.|[^\"\\\\])*\"(?=\\s*:))",
          NUMBER);
  private static final Pattern XML =
      pattern(
          "(?<comment><!--.*?-->)",
          "(?<string>\"[^\"]*\")",
          "(?<word></?[\\w.:-]+|/?>)",
          none("number"));
  private static final Pattern PROPERTIES =
      pattern(
          HASH_COMMENT,
          none("string"),
          "(?<word>^[\\w.-]+(?=\\s*=)|^\\[[^\\]]*\\])",
          none("number"));

  private static final Map<String, Pattern> LANGUAGES =
      Map.of(
          "java", JAVA,
          "sh", SHELL,
          "yaml", YAML,
          "json", JSON,
          "xml", XML,
          "ini", PROPERTIES,
          "properties", PROPERTIES);
  private static final List<String> KINDS = List.of("comment", "string", "word", "number");

  private Highlighter() {}

  /** The code as HTML; that of an unknown language without colours. */
  static String html(String code, String language) {
    Pattern pattern = LANGUAGES.get(language);
    if (pattern == null) {
      return escape(code);
    }
    StringBuilder html = new StringBuilder();
    Matcher token = pattern.matcher(code);
    int end = 0;
    while (token.find()) {
      html.append(escape(code.substring(end, token.start())));
      String kind = KINDS.stream().filter(k -> token.group(k) != null).findFirst().orElseThrow();
      html.append("<span class=\"").append(kind).append("\">");
      html.append(escape(token.group())).append("</span>");
      end = token.end();
    }
    return html.append(escape(code.substring(end))).toString();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static Pattern pattern(String... kinds) {
    return Pattern.compile(String.join("|", kinds), Pattern.DOTALL | Pattern.MULTILINE);
  }

  private static String none(String kind) {
    return NOTHING.formatted(kind);
  }
}
