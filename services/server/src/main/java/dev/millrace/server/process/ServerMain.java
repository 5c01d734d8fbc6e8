package dev.millrace.server.process;

import dev.millrace.MillraceException;
import dev.millrace.server.ServerException;
import dev.millrace.server.config.Config;
import dev.millrace.server.json.JsonWriting;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The main class of a server: what a container or a systemd unit starts. Its flags, settings and
 * exit codes are those of {@code millrace serve}.
 */
public final class ServerMain {
  private static final int EXIT_STOPPED = 0;
  private static final int EXIT_FAILED = 1;
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_NOT_STARTED = 5;

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
    ServerMain main = new ServerMain(System.getenv(), utf8(System.out), utf8(System.err));
    System.exit(main.run(List.of(args)));
  }

  /** UTF-8 whatever the locale: what is printed does not depend on the machine. */
  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  /** Runs a server until the process is told to end, and returns the exit code. */
  int run(List<String> args) {
    try {
      Arguments arguments = Arguments.parse(args);
      if (arguments.help()) {
        out.print(Arguments.usage());
        out.flush();
        return EXIT_STOPPED;
      }
      Config config = Config.resolve(arguments.file(), this::variable, arguments.flags()::get);
      if (arguments.printConfig()) {
        config.lines().forEach(out::println);
        return EXIT_STOPPED;
      }
      ServerProcess.run(config, new PrintedEvents(arguments.json()));
      return EXIT_STOPPED;
    } catch (IllegalArgumentException e) {
      return failed(EXIT_USAGE, e);
    } catch (ServerException | MillraceException | SdkException e) {
      return failed(EXIT_NOT_STARTED, e);
    } catch (RuntimeException e) { // a bug: the stack trace says where
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

  private final class PrintedEvents implements ServerProcess.Events {
    private final boolean json;

    PrintedEvents(boolean json) {
      this.json = json;
    }

    @Override
    public void ready(URI uri) {
      out.println(
          json
              ? new String(
                  JsonWriting.bytes(Map.of("event", "ready", "url", uri.toString())),
                  StandardCharsets.UTF_8)
              : "Millrace is ready: " + uri);
    }

    @Override
    public void stopping() {
      if (!json) {
        out.println("stopping");
      }
    }
  }
}
