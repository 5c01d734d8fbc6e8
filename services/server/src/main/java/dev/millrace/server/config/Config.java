package dev.millrace.server.config;

import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.YamlReading;
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
 * What a server was told, and by whom. The strongest of these holds: the command line, the
 * environment, the file, the default.
 */
public final class Config {
  private final Map<ConfigKey, Value> values;

  private Config(Map<ConfigKey, Value> values) {
    this.values = values;
  }

  /**
   * A value and where it comes from.
   *
   * @param origin the flag, the variable, the file, or {@code default}
   */
  private record Value(String text, String origin) {}

  /**
   * Puts together what was said.
   *
   * @param file null for none
   * @param environment what a variable is set to, null when it is not
   * @param flags what a flag is set to, null when it is not
   * @throws IllegalArgumentException if the file cannot be read or says what nobody knows
   */
  public static Config resolve(
      @Nullable Path file,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> flags) {
    Map<ConfigKey, Value> values = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.values()) {
      put(values, key, key.usual(), "default");
    }
    if (file != null) {
      YamlReading.read(
          file,
          fields -> {
            for (ConfigKey key : ConfigKey.values()) {
              put(values, key, text(fields, key.key()), "file " + file);
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

  private static @Nullable String text(JsonFields fields, String name) {
    return fields.isWhole(name) ? String.valueOf(fields.whole(name)) : fields.textOrNull(name);
  }

  private static void put(
      Map<ConfigKey, Value> values, ConfigKey key, @Nullable String text, String origin) {
    if (text != null) {
      values.put(key, new Value(text, origin));
    }
  }

  /** Each value and where it comes from, one a line; secrets are hidden. */
  public List<String> lines() {
    return Arrays.stream(ConfigKey.values()).map(this::line).toList();
  }

  private String line(ConfigKey key) {
    Value value = values.get(key);
    if (value == null) {
      return key.key() + ": (not set)";
    }
    String shown = key.isSecret() ? "(hidden)" : value.text();
    return key.key() + ": " + shown + "  # " + value.origin();
  }

  /** A text, null when it is not set. */
  public @Nullable String textOrNull(ConfigKey key) {
    Value value = values.get(key);
    return value == null ? null : value.text();
  }

  /** A text. */
  public String text(ConfigKey key) {
    String text = textOrNull(key);
    if (text == null) {
      throw new IllegalArgumentException(
          "%s is not set: give %s, %s, or '%s' in the file"
              .formatted(key.key(), key.flag(), key.variable(), key.key()));
    }
    return text;
  }

  /** A path, null when it is not set. */
  public @Nullable Path pathOrNull(ConfigKey key) {
    String text = textOrNull(key);
    return text == null ? null : Path.of(text);
  }

  /** A whole number from {@code least} to {@code most}. */
  public int number(ConfigKey key, int least, int most) {
    try {
      int number = Integer.parseInt(text(key));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong(key, "a whole number from " + least + " to " + most);
  }

  /** A time from {@code least} to {@code most}. */
  public Duration duration(ConfigKey key, Duration least, Duration most) {
    try {
      Duration duration = Duration.parse(text(key));
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // said below
    }
    throw wrong(key, "a duration from " + least + " to " + most);
  }

  /** One of the constants of {@code type}. */
  public <E extends Enum<E>> E choice(ConfigKey key, Class<E> type) {
    String text = text(key).toUpperCase(Locale.ROOT);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(text)) {
        return constant;
      }
    }
    throw wrong(key, "one of " + Arrays.toString(type.getEnumConstants()));
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
      // said below
    }
    throw wrong(key, "an address such as http://10.0.0.1:8080/");
  }

  /** A value that cannot be, with its rule and where it comes from. */
  public IllegalArgumentException wrong(ConfigKey key, String rule) {
    Value value = values.get(key);
    String shown = value == null || key.isSecret() ? "(hidden)" : value.text();
    String origin = value == null ? "nowhere" : value.origin();
    return new IllegalArgumentException(
        "%s '%s' (%s) must be %s".formatted(key.key(), shown, origin, rule));
  }
}
