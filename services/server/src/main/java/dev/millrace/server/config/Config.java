package dev.millrace.server.config;

import dev.millrace.server.WatchedFile;
import dev.millrace.server.json.YamlFile;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of a server's configuration with their origins. The first of these that has a value
 * wins: command line, environment, file, default. Keys without a value are null for the methods
 * {@code …OrNull}, and refused by the others.
 */
public final class Config {
  private final Map<ConfigKey, Value> values;

  private Config(Map<ConfigKey, Value> values) {
    this.values = values;
  }

  /**
   * A value and its origin.
   *
   * @param origin the flag, the variable, the file, or {@code default}
   */
  private record Value(String text, String origin) {}

  /**
   * Resolves every key.
   *
   * @param file null for none
   * @param environment a variable by its name, null when it is not set
   * @param flags a flag by its name, null when it is not given
   * @throws IllegalArgumentException if the file cannot be read or has an unknown key
   */
  public static Config resolve(
      @Nullable Path file,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> flags) {
    Map<ConfigKey, Value> values = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.values()) {
      put(values, key, key.defaultText(), "default");
    }
    if (file != null) {
      YamlFile.read(
          file,
          WatchedFile.content(file),
          fields -> {
            for (ConfigKey key : ConfigKey.values()) {
              String name = key.key();
              String text =
                  fields.isWhole(name)
                      ? String.valueOf(fields.whole(name))
                      : fields.textOrNull(name);
              put(values, key, text, "file " + file);
            }
            return fields;
          });
    }
    for (ConfigKey key : ConfigKey.values()) {
      put(values, key, environment.apply(key.variable()), "environment " + key.variable());
      put(values, key, flags.apply(key.flag()), "flag " + key.flag());
    }
    return new Config(values);
  }

  private static void put(
      Map<ConfigKey, Value> values, ConfigKey key, @Nullable String text, String origin) {
    if (text != null) {
      values.put(key, new Value(text, origin));
    }
  }

  /** Each value with its origin, one per line; secrets are hidden. */
  public List<String> lines() {
    return Arrays.stream(ConfigKey.values())
        .map(
            key -> {
              Value value = values.get(key);
              return value == null
                  ? key.key() + ": (not set)"
                  : key.key() + ": " + shown(key, value) + "  # " + value.origin();
            })
        .toList();
  }

  private static String shown(ConfigKey key, Value value) {
    return key == ConfigKey.LEASE_SECRET ? "(hidden)" : value.text();
  }

  public @Nullable String textOrNull(ConfigKey key) {
    Value value = values.get(key);
    return value == null ? null : value.text();
  }

  public String text(ConfigKey key) {
    String text = textOrNull(key);
    if (text == null) {
      throw new IllegalArgumentException(
          "%s is not set: give %s, %s, or '%s' in the file"
              .formatted(key.key(), key.flag(), key.variable(), key.key()));
    }
    return text;
  }

  public @Nullable Path pathOrNull(ConfigKey key) {
    String text = textOrNull(key);
    return text == null ? null : Path.of(text);
  }

  /** A whole number from {@code least} to {@code most}. */
  public int number(ConfigKey key, int least, int most) {
    return inRange(key, Integer::valueOf, least, most, "a whole number");
  }

  /** A duration from {@code least} to {@code most}. */
  public Duration duration(ConfigKey key, Duration least, Duration most) {
    return inRange(key, Duration::parse, least, most, "a duration");
  }

  private <T extends Comparable<T>> T inRange(
      ConfigKey key, Function<String, T> parser, T least, T most, String kind) {
    try {
      T value = parser.apply(text(key));
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
    } catch (NumberFormatException | DateTimeParseException e) {
      // refused below
    }
    throw wrong(key, kind + " from " + least + " to " + most);
  }

  public <E extends Enum<E>> E choice(ConfigKey key, Class<E> type) {
    String text = text(key).toUpperCase(Locale.ROOT);
    try {
      return Enum.valueOf(type, text);
    } catch (IllegalArgumentException e) {
      throw wrong(key, "one of " + Arrays.toString(type.getEnumConstants()));
    }
  }

  /** An address such as {@code http://10.0.0.1:8080/}, null when it is not set. */
  public @Nullable URI uriOrNull(ConfigKey key) {
    String text = textOrNull(key);
    if (text == null) {
      return null;
    }
    try {
      URI uri = new URI(text);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw wrong(key, "an address such as http://10.0.0.1:8080/");
  }

  /** An exception for a value that violates {@code rule}, with its origin. */
  public IllegalArgumentException wrong(ConfigKey key, String rule) {
    Value value = values.get(key);
    String shown = value == null ? "(hidden)" : shown(key, value);
    String origin = value == null ? "nowhere" : value.origin();
    return new IllegalArgumentException(
        "%s '%s' (%s) must be %s".formatted(key.key(), shown, origin, rule));
  }
}
