package dev.millrace.examples.springboot;

import dev.millrace.spring.RateLimited;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/** Stands for whatever costs tokens and is only known afterwards to cost how many. */
@Service
class SummaryService {
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final int WORDS = 3;

  /**
   * A summary.
   *
   * @param tokens what it really cost
   */
  record Summary(String summary, long tokens) {}

  /**
   * Charged before it runs: one call, and a token for every four characters. When it has returned,
   * the tokens are settled to what it says; if it throws, everything is given back.
   */
  @RateLimited(
      entity = "#key",
      resource = "summaries",
      limits = {"calls:100/day", "tokens:100/day"},
      consume = {"calls", "tokens=#text.length() / 4"},
      settle = "tokens=#result.tokens()")
  Summary summarise(String key, String text) {
    String[] words = SPACE.split(text.strip(), -1);
    if (words.length < WORDS) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "too short to be summarised");
    }
    return new Summary(words[0] + " … " + words[words.length - 1], words.length);
  }
}
