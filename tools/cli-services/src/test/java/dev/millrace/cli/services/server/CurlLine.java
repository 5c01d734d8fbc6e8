package dev.millrace.cli.services.server;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of curl as the documents print it, sent without curl: it need not be installed. */
final class CurlLine {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private CurlLine() {}

  /** The lines of curl in {@code document}, joined where they go on, without what hears them. */
  static List<String> in(String document) {
    return Arrays.stream(document.replace("\\\n", " ").split("\n"))
        .map(String::strip)
        .filter(line -> line.startsWith("curl "))
        .map(line -> line.replaceFirst(" \\| tee \\S+$", ""))
        .toList();
  }

  static HttpRequest request(String line) {
    List<String> words = words(line);
    HttpRequest.Builder request = HttpRequest.newBuilder();
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("-H")) {
        String[] field = words.get(++i).split(": ", 2);
        request.header(field[0], field[1]);
      } else if (word.equals("-d")) {
        request.POST(HttpRequest.BodyPublishers.ofString(words.get(++i)));
      } else if (word.startsWith("http")) {
        request.uri(URI.create(word));
      } else if (!word.equals("-s")) {
        throw new IllegalArgumentException("curl " + word + " is not understood");
      }
    }
    return request.build();
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words;
  }
}
