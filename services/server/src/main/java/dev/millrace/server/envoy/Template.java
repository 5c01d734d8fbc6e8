package dev.millrace.server.envoy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name with places for the values of a descriptor: {@code tenant-{key.tenant}}.
 *
 * <p>What a proxy sends may be anything: a path, an address, whatever a client put into a header. A
 * value that makes no valid name is not an error, because a proxy lets through what it gets an
 * error for, and then a strange header would be a way around the limit. Such a name is replaced by
 * its hash: the same value has the same bucket, and different ones have different buckets.
 */
public final class Template {
  private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
  private static final String KEY = "key.";
  private static final String HASHED = "h-";

  /** Hexadecimal digits of a hash: 128 bits, so that two values do not meet by chance or intent. */
  private static final int HASH_DIGITS = 32;

  private final String text;
  private final List<String> keys;

  private Template(String text, List<String> keys) {
    this.text = text;
    this.keys = keys;
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if a place is not {@code {key.NAME}}
   */
  public static Template parse(String text) {
    List<String> keys = new ArrayList<>();
    Matcher places = PLACE.matcher(text);
    while (places.find()) { // ends: the text does
      String place = places.group(1);
      if (!place.startsWith(KEY) || place.length() == KEY.length()) {
        throw new IllegalArgumentException("'{" + place + "}' must be {key.NAME}");
      }
      keys.add(place.substring(KEY.length()));
    }
    String rest = places.replaceAll("");
    if (rest.indexOf('{') >= 0 || rest.indexOf('}') >= 0) {
      throw new IllegalArgumentException("has a brace without its other half");
    }
    return new Template(text, List.copyOf(keys));
  }

  /** The keys whose values it takes. */
  public List<String> keys() {
    return keys;
  }

  /** The name for these values; {@code rule} says what a name must be. */
  public String render(Map<String, String> values, UnaryOperator<String> rule) {
    String name = keys.isEmpty() ? text : filled(values);
    try {
      return rule.apply(name);
    } catch (IllegalArgumentException e) {
      return rule.apply(HASHED + hash(name));
    }
  }

  private String filled(Map<String, String> values) {
    StringBuilder name = new StringBuilder();
    Matcher places = PLACE.matcher(text);
    int from = 0;
    while (places.find()) { // ends: the text does
      String key = places.group(1).substring(KEY.length());
      name.append(text, from, places.start()).append(values.getOrDefault(key, ""));
      from = places.end();
    }
    return name.append(text, from, text.length()).toString();
  }

  private static String hash(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
