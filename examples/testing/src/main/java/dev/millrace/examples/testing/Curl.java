package dev.millrace.examples.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call of curl as a README shows it, of which this understands as much as the examples need:
 * {@code -s}, {@code -i}, {@code -N}, {@code -H}, {@code -d} and the address.
 *
 * @param address where to
 * @param headers the fields of {@code -H}
 * @param body that of {@code -d}, null for a GET
 */
public record Curl(URI address, Map<String, String> headers, @Nullable String body) {
  static final String COMMAND = "curl ";

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final List<String> WITHOUT_EFFECT = List.of("-s", "-i", "-si", "-N", "-sN");

  /** Keeps the headers as they are now. */
  public Curl {
    headers = Map.copyOf(headers);
  }

  /**
   * Reads a command.
   *
   * @throws IllegalArgumentException if it has an option that is not understood
   */
  public static Curl parse(String command) {
    Map<String, String> headers = new LinkedHashMap<>();
    String body = null;
    String address = null;
    Matcher words = WORD.matcher(command.substring(COMMAND.length()));
    while (words.find()) {
      String word = value(words);
      if (word.equals("-H")) {
        String[] field = next(words, command).split(": ", 2);
        headers.put(field[0], field[1]);
      } else if (word.equals("-d")) {
        body = next(words, command);
      } else if (word.startsWith("-")) {
        if (!WITHOUT_EFFECT.contains(word)) {
          throw new IllegalArgumentException("option '" + word + "' is not understood: " + command);
        }
      } else {
        address = word;
      }
    }
    if (address == null) {
      throw new IllegalArgumentException("no address: " + command);
    }
    return new Curl(URI.create(address), headers, body);
  }

  private static String next(Matcher words, String command) {
    if (!words.find()) {
      throw new IllegalArgumentException("an option without its value: " + command);
    }
    return value(words);
  }

  private static String value(Matcher words) {
    return words.group(1) == null ? words.group(2) : words.group(1);
  }

  /** Sends it to another port than the README's. */
  public HttpResponse<String> sendTo(int port) throws IOException, InterruptedException {
    URI there =
        URI.create(
            address.toString().replaceFirst(":" + address.getPort() + "/", ":" + port + "/"));
    HttpRequest.Builder request = HttpRequest.newBuilder(there);
    headers.forEach(request::header);
    if (body != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newBuilder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .build()
        .send(request.build(), BodyHandlers.ofString());
  }
}
