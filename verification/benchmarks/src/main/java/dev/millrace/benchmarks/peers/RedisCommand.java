package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Finds the Redis server, and on Debian installs it. */
final class RedisCommand {
  private static final String NAME = "redis-server";
  private static final int INSTALL_MINUTES = 5;
  private static final Path DEBIAN = Path.of("/etc/debian_version");

  private RedisCommand() {}

  /** The command; what is done to get it is told. */
  static Path find(Consumer<String> messages) throws InterruptedException {
    Optional<Path> found = onPath(NAME);
    if (found.isPresent()) {
      return found.get();
    }
    if (!Files.exists(DEBIAN) || !"root".equals(System.getProperty("user.name"))) {
      throw new BenchException(
          "'redis-server' is not on the PATH; install it (on Debian, as root: apt-get install"
              + " redis-server) and start again");
    }
    messages.accept("'redis-server' is not on the PATH: installing Debian's package …");
    run(List.of("apt-get", "update", "-q"));
    run(List.of("apt-get", "install", "-q", "-y", "--no-install-recommends", NAME));
    return onPath(NAME)
        .orElseThrow(
            () ->
                new BenchException("apt-get installed 'redis-server', yet it is not on the PATH"));
  }

  private static Optional<Path> onPath(String command) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin");
    for (String directory : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(directory, command);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private static void run(List<String> command) throws InterruptedException {
    Path log = null;
    try {
      log = Files.createTempFile("bench-apt", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(new ArrayList<>(command))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
      // Keeps the package from starting a server of its own.
      builder.environment().put("RUNLEVEL", "1");
      Process process = builder.start();
      if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw failed(command, "took more than " + INSTALL_MINUTES + " minutes", log);
      }
      if (process.exitValue() != 0) {
        throw failed(command, "ended with status " + process.exitValue(), log);
      }
    } catch (IOException e) {
      throw new BenchException(
          "could not run '%s': %s".formatted(String.join(" ", command), e.getMessage()), e);
    } finally {
      delete(log);
    }
  }

  private static BenchException failed(List<String> command, String what, Path log)
      throws IOException {
    return new BenchException(
        String.format(
            Locale.ROOT,
            "'%s' %s. Its output:%n%s",
            String.join(" ", command),
            what,
            Files.readString(log)));
  }

  private static void delete(@org.jspecify.annotations.Nullable Path log) {
    try {
      if (log != null) {
        Files.deleteIfExists(log);
      }
    } catch (IOException e) {
      // A leftover in the directory for temporary files does no harm.
    }
  }
}
