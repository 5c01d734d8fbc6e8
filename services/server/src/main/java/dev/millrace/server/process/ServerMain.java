package dev.millrace.server.process;

import dev.millrace.MillraceException;
import dev.millrace.server.ServerException;
import dev.millrace.server.config.Config;
import dev.millrace.server.config.ConfigKey;
import dev.millrace.server.json.JsonResponses;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The main class of a server in a container or a systemd unit. Its flags, settings and exit codes
 * are those of {@code millrace serve}.
 */
public final class ServerMain {
  private static final int EXIT_STOPPED = 0;
  private static final int EXIT_FAILED = 1;
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_NOT_STARTED = 5;

  private static final String CONFIG = "--config";
  private static final String PRINT_CONFIG = "--print-config";
  private static final String JSON = "--json";
  private static final String HELP = "--help";
  private static final Set<String> SWITCHES = Set.of(PRINT_CONFIG, JSON, HELP, "-h");

  private final Map<String, String> environment;
  private final PrintWriter out;
  private final PrintWriter err;

  ServerMain(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    this.environment = environment;
    this.out = out;
    this.err = err;
  }

  /** Runs a server and ends the process with its exit code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, /* autoFlush= */ true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, /* autoFlush= */ true, StandardCharsets.UTF_8);
    System.exit(new ServerMain(System.getenv(), out, err).run(List.of(args)));
  }

  /** Runs a server until the process is asked to end, and returns the exit code. */
  int run(List<String> args) {
    try {
      Map<String, String> flags = flags(args);
      if (flags.containsKey(HELP)) {
        out.print(usage());
        out.flush();
        return EXIT_STOPPED;
      }
      String file = flags.get(CONFIG);
      Config config =
          Config.resolve(file == null ? null : Path.of(file), this::variable, flags::get);
      if (flags.containsKey(PRINT_CONFIG)) {
        config.lines().forEach(out::println);
        return EXIT_STOPPED;
      }
      boolean json = flags.containsKey(JSON);
      ServerProcess.run(
          config,
          uri -> out.println(json ? readyEvent(uri) : "Millrace is ready: " + uri),
          () -> out.print(json ? "" : "stopping" + System.lineSeparator()));
      out.flush();
      return EXIT_STOPPED;
    } catch (IllegalArgumentException e) {
      return failed(EXIT_USAGE, e);
    } catch (ServerException | MillraceException | SdkException e) {
      return failed(EXIT_NOT_STARTED, e);
    } catch (RuntimeException e) { // a bug: the stack trace has the place
      e.printStackTrace(err);
      return EXIT_FAILED;
    }
  }

  private int failed(int exitCode, RuntimeException failure) {
    err.println("millrace: " + failure.getMessage());
    return exitCode;
  }

  private @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static String readyEvent(URI uri) {
    Map<String, String> event = new TreeMap<>(Map.of("event", "ready", "url", uri.toString()));
    return new String(JsonResponses.bytes(event), StandardCharsets.UTF_8);
  }

  /**
   * The value of each flag, {@code --flag value} or {@code --flag=value}, and of each switch.
   *
   * @throws IllegalArgumentException if one is unknown, given twice, or has no value
   */
  private static Map<String, String> flags(List<String> arguments) {
    Map<String, String> flags = new HashMap<>();
    for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
      String word = words.next();
      if (SWITCHES.contains(word)) {
        flags.put(word.equals("-h") ? HELP : word, "true");
        continue;
      }
      int equals = word.indexOf('=');
      String flag = equals < 0 ? word : word.substring(0, equals);
      if (!flag.equals(CONFIG)
          && Arrays.stream(ConfigKey.values()).noneMatch(key -> key.flag().equals(flag))) {
        throw new IllegalArgumentException("unknown argument '" + word + "': see --help");
      }
      if (equals < 0 && !words.hasNext()) {
        throw new IllegalArgumentException(flag + " needs a value: see --help");
      }
      String value = equals < 0 ? words.next() : word.substring(equals + 1);
      if (flags.putIfAbsent(flag, value) != null) {
        throw new IllegalArgumentException(flag + " is given twice");
      }
    }
    return flags;
  }

  /** The usage, with every flag and its default. */
  private static String usage() {
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
      text.append("  %-26s %s%n".formatted(key.flag() + " VALUE", key.descriptionWithDefault()));
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
