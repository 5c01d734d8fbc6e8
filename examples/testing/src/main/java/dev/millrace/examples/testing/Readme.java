package dev.millrace.examples.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The README of an example. Tests do what it says and compare what happens with what it shows.
 *
 * @param text all of it
 */
public record Readme(String text) {
  private static final String BLOCK = "(?ms)^```%s\\n(.*?)^```$";

  /** The one in the directory that tests of a module run in. */
  public static Readme here() throws IOException {
    return new Readme(Files.readString(Path.of("README.md")));
  }

  /** The code blocks in {@code language}, in their order. */
  public List<String> blocks(String language) {
    return groups(Pattern.compile(BLOCK.formatted(language)));
  }

  /** The commands of {@code sh} blocks that are calls of curl, continued lines joined. */
  public List<Curl> curls() {
    return blocks("sh").stream()
        .flatMap(block -> block.replaceAll("\\\\\\n\\s*", "").lines())
        .filter(line -> line.startsWith(Curl.COMMAND))
        .map(Curl::parse)
        .toList();
  }

  private List<String> groups(Pattern pattern) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
