package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
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
 * Settings under names, in a file: {@code [prod]}, then lines such as {@code table = limits}. Lines
 * that begin with {@code #} are for people. What is not understood is refused with its line.
 */
final class Profiles {
  /** The variable that names the file. */
  static final String FILE_VARIABLE = "MILLRACE_PROFILES";

  /** What a profile can say. */
  static final Set<String> KEYS =
      Set.of("table", "endpoint", "region", "namespace", "embedded", "actor");

  private static final long MAX_BYTES = 1_000_000;

  private Profiles() {}

  /** What the profile says, empty when none was asked for. */
  static Map<String, String> find(Surroundings surroundings, @Nullable String name) {
    if (name == null) {
      return Map.of();
    }
    String named = surroundings.variable(FILE_VARIABLE);
    Path file =
        named == null
            ? surroundings.home().resolve(".config").resolve("millrace").resolve("profiles")
            : Path.of(named);
    Map<String, Map<String, String>> all = parse(file, read(file));
    Map<String, String> profile = all.get(name);
    if (profile == null) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "profile '%s' is not in %s: it has %s".formatted(name, file, all.keySet()));
    }
    return profile;
  }

  private static List<String> read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new CommandFailure(
            ExitCodes.USAGE, "profiles file %s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "profiles file %s cannot be read: write it, or set %s".formatted(file, FILE_VARIABLE));
    }
  }

  private static Map<String, Map<String, String>> parse(Path file, List<String> lines) {
    Map<String, Map<String, String>> profiles = new LinkedHashMap<>();
    Map<String, String> current = null;
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[") && line.endsWith("]")) {
        current = new LinkedHashMap<>();
        if (profiles.put(line.substring(1, line.length() - 1).strip(), current) != null) {
          throw refused(file, number, line, "this profile is there twice");
        }
      } else if (current == null) {
        throw refused(file, number, line, "a line such as [prod] must come first");
      } else {
        put(file, number, line, current);
      }
    }
    return profiles;
  }

  private static void put(Path file, int number, String line, Map<String, String> profile) {
    int equals = line.indexOf('=');
    String key = equals < 0 ? line : line.substring(0, equals).strip();
    if (equals < 0 || !KEYS.contains(key)) {
      throw refused(file, number, line, "must be KEY = VALUE, the key one of " + List.copyOf(KEYS));
    }
    if (profile.put(key, line.substring(equals + 1).strip()) != null) {
      throw refused(file, number, line, "this key is there twice");
    }
  }

  private static CommandFailure refused(Path file, int number, String line, String rule) {
    return new CommandFailure(
        ExitCodes.USAGE, "%s, line %d, '%s': %s".formatted(file, number, line, rule));
  }
}
