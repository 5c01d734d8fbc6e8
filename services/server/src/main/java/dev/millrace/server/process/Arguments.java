package dev.millrace.server.process;

import dev.millrace.server.config.ConfigKey;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@link ServerMain}.
 *
 * @param flags the value of each flag that sets a {@link ConfigKey}
 * @param file the file of settings, null for none
 * @param printConfig whether to print the settings and to exit
 * @param json whether to print events as lines of JSON
 * @param help whether to print the usage and to exit
 */
record Arguments(
    Map<String, String> flags,
    @Nullable Path file,
    boolean printConfig,
    boolean json,
    boolean help) {
  private static final String CONFIG = "--config";
  private static final String PRINT_CONFIG = "--print-config";
  private static final String JSON = "--json";
  private static final List<String> HELP = List.of("--help", "-h");

  /**
   * Reads {@code --flag value} and {@code --flag=value}.
   *
   * @throws IllegalArgumentException if a flag is unknown, given twice, or has no value
   */
  static Arguments parse(List<String> arguments) {
    Map<String, String> values = new HashMap<>();
    boolean printConfig = false;
    boolean json = false;
    boolean help = false;
    for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
      String word = words.next();
      if (word.equals(PRINT_CONFIG)) {
        printConfig = true;
      } else if (word.equals(JSON)) {
        json = true;
      } else if (HELP.contains(word)) {
        help = true;
      } else {
        readValue(word, words, values);
      }
    }
    String file = values.remove(CONFIG);
    return new Arguments(values, file == null ? null : Path.of(file), printConfig, json, help);
  }

  private static void readValue(String word, Iterator<String> words, Map<String, String> values) {
    int equals = word.indexOf('=');
    String flag = equals < 0 ? word : word.substring(0, equals);
    if (!takesValue(flag)) {
      throw new IllegalArgumentException("unknown argument '" + word + "': see --help");
    }
    if (equals < 0 && !words.hasNext()) {
      throw new IllegalArgumentException(flag + " needs a value: see --help");
    }
    String value = equals < 0 ? words.next() : word.substring(equals + 1);
    if (values.putIfAbsent(flag, value) != null) {
      throw new IllegalArgumentException(flag + " is given twice");
    }
  }

  private static boolean takesValue(String flag) {
    if (flag.equals(CONFIG)) {
      return true;
    }
    for (ConfigKey key : ConfigKey.values()) {
      if (key.flag().equals(flag)) {
        return true;
      }
    }
    return false;
  }

  /** The usage, with every flag and its default. */
  static String usage() {
    StringBuilder text =
        new StringBuilder(
            """
            Serves the limiter over HTTP, to callers that bring a key.
            Each setting is the first that is found: flag, MILLRACE_… variable, file, default.

              --config FILE              The file, YAML or JSON.
              --print-config             Print each value and where it comes from, and exit.
              --json                     Print events as lines of JSON.
              -h, --help                 Print this and exit.
            """);
    for (ConfigKey key : ConfigKey.values()) {
      String usual = key.usual() == null ? "" : " (default: " + key.usual() + ")";
      text.append("  %-26s %s%s%n".formatted(key.flag() + " VALUE", key.description(), usual));
    }
    return text.append(
            """

            Exit codes:
              0   stopped as asked
              2   wrong usage or configuration
              5   could not start
            """)
        .toString();
  }
}
