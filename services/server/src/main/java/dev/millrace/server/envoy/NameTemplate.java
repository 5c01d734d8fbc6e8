package dev.millrace.server.envoy;

import dev.millrace.server.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name with places for the values of a descriptor: {@code tenant-{key.tenant}}.
 *
 * <p>A proxy may send anything: a path, an address, a header of its client. A value that makes no
 * valid name is not an error, because most proxies let a request through after an error, and a
 * strange header would circumvent the limit. Such a name is replaced by its hash: the same value
 * has the same bucket, and different values have different buckets.
 */
public final class NameTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
  private static final String KEY = "key.";
  private static final String HASHED = "h-";

  /** Hexadecimal digits of a hash: 128 bits, so that no two values collide, even by intent. */
  private static final int HASH_DIGITS = 32;

  private final String text;
  private final List<String> keys;

  private NameTemplate(String text, List<String> keys) {
    this.text = text;
    this.keys = keys;
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if a place is not {@code {key.NAME}}
   */
  public static NameTemplate parse(String text) {
    List<String> keys = new ArrayList<>();
    Matcher places = PLACE.matcher(text);
    while (places.find()) { // ends: the text does
      String place = places.group(1);
      if (!place.startsWith(KEY) || place.length() == KEY.length()) {
        throw new IllegalArgumentException("'{" + place + "}' must be {key.NAME}");
      }
      keys.add(place.substring(KEY.length()));
    }
    if (places.replaceAll("").matches("(?s).*[{}].*")) {
      throw new IllegalArgumentException("has a brace without its other half");
    }
    return new NameTemplate(text, List.copyOf(keys));
  }

  public List<String> keys() {
    return keys;
  }

  /** The name for these values; {@code rule} throws for an invalid name. */
  public String render(Map<String, String> values, UnaryOperator<String> rule) {
    String name = keys.isEmpty() ? text : filled(values);
    try {
      return rule.apply(name);
    } catch (IllegalArgumentException e) {
      return rule.apply(HASHED + Sha256.hex(name).substring(0, HASH_DIGITS));
    }
  }

  private String filled(Map<String, String> values) {
    return PLACE
        .matcher(text)
        .replaceAll(
            place -> {
              String key = place.group(1).substring(KEY.length());
              return Matcher.quoteReplacement(values.getOrDefault(key, ""));
            });
  }

  @Override
  public String toString() {
    return text;
  }
}
