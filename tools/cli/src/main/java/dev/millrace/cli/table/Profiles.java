package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of settings under names: {@code [prod]}, then lines such as {@code table = limits}. Lines
 * that begin with {@code #} are comments; any other is refused with its number.
 */
final class Profiles {
  /** The settings that a profile can have. */
  static final Set<String> KEYS =
      Set.of("table", "endpoint", "region", "namespace", "embedded", "actor");

  private static final String FILE_VARIABLE = "MILLRACE_PROFILES";
  private static final long MAX_BYTES = 1_000_000;

  private final Path file;
  private final Map<String, Map<String, String>> profiles = new LinkedHashMap<>();

  private Profiles(Path file) {
    this.file = file;
  }

  /** The settings of the profile, none when it has no name. */
  static Map<String, String> find(Surroundings surroundings, @Nullable String name) {
    if (name == null) {
      return Map.of();
    }
    String named = surroundings.variable(FILE_VARIABLE);
    Path file =
        named == null ? surroundings.home().resolve(".config/millrace/profiles") : Path.of(named);
    Profiles all = new Profiles(file);
    all.parse();
    Map<String, String> profile = all.profiles.get(name);
    if (profile == null) {
      throw CommandFailure.usage(
          "profile '%s' is not in %s: it has %s".formatted(name, file, all.profiles.keySet()));
    }
    return profile;
  }

  private void parse() {
    Map<String, String> current = null;
    int number = 0;
    for (String untrimmed : read()) {
      number++;
      String line = untrimmed.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[") && line.endsWith("]")) {
        current = new LinkedHashMap<>();
        if (profiles.put(line.substring(1, line.length() - 1).strip(), current) != null) {
          throw refused(number, line, "this profile is there twice");
        }
        continue;
      }
      if (current == null) {
        throw refused(number, line, "a line such as [prod] must come first");
      }
      String[] setting = line.split("=", 2);
      if (setting.length < 2 || !KEYS.contains(setting[0].strip())) {
        throw refused(number, line, "must be KEY = VALUE, the key one of " + List.copyOf(KEYS));
      }
      if (current.put(setting[0].strip(), setting[1].strip()) != null) {
        throw refused(number, line, "this key is there twice");
      }
    }
  }

  private List<String> read() {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw CommandFailure.usage(
            "profiles file %s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw CommandFailure.usage(
          "profiles file %s cannot be read: write it, or set %s".formatted(file, FILE_VARIABLE));
    }
  }

  private CommandFailure refused(int number, String line, String rule) {
    return CommandFailure.usage("%s, line %d, '%s': %s".formatted(file, number, line, rule));
  }
}
