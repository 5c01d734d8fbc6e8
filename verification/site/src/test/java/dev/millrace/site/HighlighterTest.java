package dev.millrace.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighlighterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "java | return 10_000; // x | <w>return</w> <n>10_000</n>; <c>// x</c>",
        "java | a(\"// no\") | a(<s>&quot;// no&quot;</s>)",
        "java | newest | newest",
        "sh | ./millrace up --port 1 # go | ./millrace up <w>--port</w> 1 <c># go</c>",
        "sh | a#b | a#b",
        "yaml | limits: [rpm:100] | <w>limits</w>: [rpm:100]",
        "json | {\"a\": \"b\", \"c\": 1} | {<w>&quot;a&quot;</w>: <s>&quot;b&quot;</s>, <w>&quot;c&quot;</w>: <n>1</n>}",
        "text | <a> & \"b\" | &lt;a&gt; &amp; &quot;b&quot;",
      })
  void html_ofALanguage_marksItsWords(String language, String code, String html) {
    assertThat(Highlighter.html(code, language))
        .isEqualTo(
            html.replace("<w>", "<span class=\"word\">")
                .replace("<s>", "<span class=\"string\">")
                .replace("<n>", "<span class=\"number\">")
                .replace("<c>", "<span class=\"comment\">")
                .replaceAll("</[wsnc]>", "</span>"));
  }
}
